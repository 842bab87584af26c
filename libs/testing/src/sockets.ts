import { once } from 'node:events';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';

/** Lets a server listen at a port of 127.0.0.1, by default at a free one. Returns `127.0.0.1:<port>`. */
export async function listen(server: Server, port = 0): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Waits until a new connection is established. Returns false if it fails. */
export function isMade(socket: Socket): Promise<boolean> {
  return once(socket, 'connect').then(() => true, () => false);
}

/** Whether a server accepts connections at this port. */
export async function takesConnections(port: number, host = '127.0.0.1'): Promise<boolean> {
  const socket = connect(port, host);
  const isTaken = await isMade(socket);
  socket.destroy();
  return isTaken;
}
