import { once } from 'node:events';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';

/** Lets a server listen at a port of 127.0.0.1, by default at a free one. Returns `127.0.0.1:<port>`. */
export async function listen(server: Server, port = 0): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Whether a connection that was just begun is made. */
export function isMade(socket: Socket): Promise<boolean> {
  return once(socket, 'connect').then(() => true, () => false);
}

/** Whether a server takes connections there. */
export async function takesConnections(port: number, host = '127.0.0.1'): Promise<boolean> {
  const socket = connect(port, host);
  const isTaken = await isMade(socket);
  socket.destroy();
  return isTaken;
}
