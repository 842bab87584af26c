import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { BackingFault } from './fault.ts';

/** SQLSTATE `cannot_connect_now`: the server is starting, stopping or recovering. */
const CANNOT_CONNECT_NOW = '57P03';
const PROTOCOL_3_0 = 196_608;

/**
 * Asks a PostgreSQL once, without a password, whether it accepts connections, as `pg_isready` does.
 * @throws BackingFault NOT_READY; the reason of an aborted signal
 */
export async function probePostgres(url: string, signal: AbortSignal): Promise<void> {
  const answer = await hearPostgres(url, signal);
  const refused = answer[0] === 0x45 && answer.includes(`C${CANNOT_CONNECT_NOW}`);
  if (refused) throw notReady(url, new Error('it does not accept connections now'));
}

/**
 * Connects to a PostgreSQL server and returns its first message, such as the request for a password or an error.
 * @throws BackingFault NOT_READY if no message arrives; the reason of an aborted signal
 */
export async function hearPostgres(url: string, signal: AbortSignal): Promise<Buffer> {
  const { hostname, port, username } = new URL(url);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 5432), signal });
  try {
    await once(socket, 'connect', { signal });
    socket.write(startupMessage(decodeURIComponent(username) || 'postgres'));
    return await firstMessage(socket, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw notReady(url, error as Error);
  } finally {
    socket.destroy();
  }
}

function notReady(url: string, cause: Error): BackingFault {
  const message = `PostgreSQL at ${new URL(url).host} cannot be used: ${cause.message}.`;
  return new BackingFault('NOT_READY', message, 'Check that PostgreSQL runs, and check its address.', { cause });
}

/** Returns a StartupMessage: length, protocol version, zero-terminated names and values of parameters, a zero byte. */
function startupMessage(user: string): Buffer {
  const parameters = Buffer.from(`user\0${user}\0database\0postgres\0\0`);
  const message = Buffer.alloc(8 + parameters.length);
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(PROTOCOL_3_0, 4);
  parameters.copy(message, 8);
  return message;
}

/** Returns the received bytes as soon as they contain a whole message: a letter, the length, the body. */
async function firstMessage(socket: Socket, signal: AbortSignal): Promise<Buffer> {
  let received = Buffer.alloc(0);
  while (received.length < 5 || received.length < 1 + received.readInt32BE(1)) {
    const data = once(socket, 'data', { signal }) as Promise<[Buffer]>;
    const end = once(socket, 'close', { signal }).then(() => undefined);
    const chunk = (await Promise.race([data, end]))?.[0];
    if (chunk === undefined) throw new Error('it closed the connection');
    received = Buffer.concat([received, chunk]);
  }
  return received;
}
