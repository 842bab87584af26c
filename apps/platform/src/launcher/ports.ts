import { createServer } from 'node:net';
import { once } from 'node:events';
import { portOwner } from '@platform/backing';
import { CommandFault } from '../command-fault.ts';

/**
 * Checks that this process can listen on a port.
 * @param setting how users can set the port, such as `--port or PLATFORM_HTTP_PORT`
 * @throws CommandFault if the port is in use or not permitted, or if this machine has no address `host`
 */
export async function assertPortFree(host: string, port: number, setting: string): Promise<void> {
  const probe = createServer();
  try {
    probe.listen({ host, port, exclusive: true });
    await once(probe, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') {
      throw new CommandFault(`This user is not permitted to listen on port ${port}`, `Set another port with ${setting}.`);
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new CommandFault(`This machine has no address ${host}`, 'Set another address with PLATFORM_HTTP_HOST.');
    }
    if (code !== 'EADDRINUSE') throw error;
    const owner = await portOwner(port);
    const by = owner === undefined ? '' : ` by ${owner}`;
    throw new CommandFault(`Port ${port} is taken${by}`, `Free the port, or set another port with ${setting}.`);
  } finally {
    await new Promise((resolve) => probe.close(resolve));
  }
}
