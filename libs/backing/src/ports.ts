import { randomInt } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { basename } from 'node:path';
import { BackingFault } from './fault.ts';

/** Ports to choose from, `to` excluded. Systems usually assign ports from 32768 to outgoing connections. */
const platformPorts = { from: 10_000, to: 15_000 };

/**
 * Returns different ports of 127.0.0.1 that are free now. The search begins at a random port. So two platforms that
 * start at the same time seldom choose the same port.
 * @param range the ports to choose from, `to` excluded
 */
export async function freePorts(count: number, range = platformPorts): Promise<number[]> {
  const holders: Server[] = [];
  const all = range.to - range.from;
  const first = randomInt(all);
  try {
    // All ports are held until the last port is known, so no port is chosen twice.
    for (let tried = 0; holders.length < count; tried += 1) {
      if (tried === all) throw new Error(`fewer than ${count} ports from ${range.from} to ${range.to - 1} are free`);
      const holder = await listenUnlessTaken(range.from + (first + tried) % all);
      if (holder !== undefined) holders.push(holder);
    }
    return holders.map((holder) => (holder.address() as { port: number }).port);
  } finally {
    await Promise.all(holders.map((holder) => new Promise((resolve) => holder.close(resolve))));
  }
}

/**
 * Checks that the ports of a part are free on 127.0.0.1.
 * @param cause the error of the part, if the start of the part has failed
 * @throws BackingFault PORT_TAKEN; the message names the process that uses the port, if known
 */
export async function assertPortsFree(part: string, ports: readonly number[], cause?: unknown): Promise<void> {
  for (const port of ports) {
    if (!(await portTaken(port))) continue;
    const owner = await portOwner(port);
    const message = `Port ${port} for ${part} is taken${owner === undefined ? '' : ` by ${owner}`}.`;
    const options = cause === undefined ? {} : { cause };
    const cure = 'Free the port. If a setting names this port, you can set another port.';
    throw new BackingFault('PORT_TAKEN', message, cure, options);
  }
}

async function portTaken(port: number): Promise<boolean> {
  const holder = await listenUnlessTaken(port);
  await new Promise((resolve) => (holder === undefined ? resolve(undefined) : holder.close(resolve)));
  return holder === undefined;
}

async function listenUnlessTaken(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw error;
  }
}

/** Returns the process that listens on a port, such as `nginx (pid 12)`, or undefined if it is unknown. */
export async function portOwner(port: number): Promise<string | undefined> {
  const inodes = await listeningInodes(port);
  if (inodes.size === 0) return undefined;
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    // Processes of other users may be unreadable, and any process may end meanwhile.
    const descriptors = await readdir(`/proc/${entry}/fd`).catch(() => []);
    const links = descriptors.map((descriptor) => readlink(`/proc/${entry}/fd/${descriptor}`).catch(() => ''));
    const targets = await Promise.all(links);
    if (!targets.some((target) => inodes.has(target))) continue;
    // Use the name of the executable, because /proc/<pid>/comm of a Node process contains `MainThread`.
    const file = await readlink(`/proc/${entry}/exe`).catch(() => undefined);
    const program = file === undefined ? 'a process' : basename(file.replace(/ \(deleted\)$/, ''));
    return `${program} (pid ${entry})`;
  }
  return undefined;
}

/** Returns the names (`socket:[…]`) of the sockets that listen on the port. Without /proc, returns an empty set. */
async function listeningInodes(port: number): Promise<Set<string>> {
  const read = (name: string): Promise<string> => readFile(`/proc/net/${name}`, 'utf8').catch(() => '');
  const tables = await Promise.all(['tcp', 'tcp6'].map(read));
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const inodes = new Set<string>();
  for (const line of tables.join('\n').split('\n')) {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    if (local?.endsWith(suffix) && state === '0A') inodes.add(`socket:[${inode}]`);
  }
  return inodes;
}
