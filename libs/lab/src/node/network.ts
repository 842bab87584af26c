import { execFile } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { promisify } from 'node:util';
import { BackingFault } from '@platform/backing';
import { nodePath } from './requirements.ts';

const run = promisify(execFile);
const commandMs = 10_000;

/** The network link (veth pair) between this machine and a node. */
export interface NodeNetwork {
  /** Address of this machine on the link. */
  readonly host: string;
  readonly node: string;
  /** Address range of pods. Only the node has a route to it. */
  readonly pods: string;
}

export const podNetwork = '10.240.0.0/24';

/** Returns a network of 10.99.0.0/16 that no interface of this machine uses. @throws BackingFault if there is none */
export async function freeNetwork(): Promise<NodeNetwork> {
  const taken = new Set(Object.values(networkInterfaces()).flat().map((one) => one!.address.replace(/\.\d+$/, '')));
  for (let index = 0; index < 256; index += 1) {
    const prefix = `10.99.${index}`;
    if (!taken.has(prefix)) return { host: `${prefix}.1`, node: `${prefix}.2`, pods: podNetwork };
  }
  throw new BackingFault('START_FAILED', 'All networks in 10.99.0.0/16 are in use.', 'Stop labs that are not needed.');
}

/**
 * Creates the link between this machine and the network namespace of a process. The kernel removes the link when the
 * namespace ends.
 */
export async function connect({ host, node }: NodeNetwork, pid: number): Promise<void> {
  const command = (program: string, ...args: readonly string[]): Promise<unknown> => {
    return run(program, args, { timeout: commandMs, env: { PATH: nodePath } });
  };
  const inside = (...args: readonly string[]): Promise<unknown> => {
    return command('nsenter', '--target', String(pid), '--net', '--mount', '--pid', '--', ...args);
  };
  const cable = `lab${pid}`;
  await command('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid));
  await command('ip', 'address', 'add', `${host}/30`, 'dev', cable);
  await command('ip', 'link', 'set', cable, 'up');
  await inside('ip', 'link', 'set', 'lo', 'up');
  await inside('ip', 'address', 'add', `${node}/30`, 'dev', 'eth0');
  await inside('ip', 'link', 'set', 'eth0', 'up');
  await inside('ip', 'route', 'add', 'default', 'via', host);
  await inside('sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward');
}
