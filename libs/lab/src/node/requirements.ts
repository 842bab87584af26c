import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { BackingFault } from '@platform/backing';

/** Programs that a node needs, by the package that usually contains them. */
const programs: Readonly<Record<string, readonly string[]>> = {
  'containerd': ['containerd', 'ctr', 'containerd-shim-runc-v2'],
  'runc': ['runc'],
  'iptables': ['iptables', 'iptables-restore'],
  'iproute2': ['ip'],
  'util-linux': ['unshare', 'nsenter', 'mount'],
  'tar': ['tar'],
};

/** Folder in which Debian's package `containernetworking-plugins` installs the network plugins. */
export const pluginFolder = '/usr/lib/cni';
const plugins = ['bridge', 'host-local', 'loopback', 'portmap'];

/** The `PATH` for the programs of a node. */
export const nodePath = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'].join(delimiter);

/** Returns what this machine lacks for a real node, such as `root` or `the package runc`. */
export async function missingForNode(): Promise<readonly string[]> {
  if (process.platform !== 'linux') return ['Linux'];
  const found = async (file: string): Promise<boolean> => access(file, constants.X_OK).then(() => true, () => false);
  const inPath = async (name: string): Promise<boolean> => {
    return (await Promise.all(nodePath.split(delimiter).map((folder) => found(join(folder, name))))).includes(true);
  };
  const lacking = await Promise.all(Object.entries(programs).map(async ([name, files]) => {
    return (await Promise.all(files.map(inPath))).includes(false) ? [`the package ${name}`] : [];
  }));
  const hasPlugins = await Promise.all(plugins.map((name) => found(join(pluginFolder, name))));
  return [
    ...process.getuid!() === 0 ? [] : ['root'],
    ...lacking.flat(),
    ...hasPlugins.includes(false) ? ['the package containernetworking-plugins'] : [],
  ];
}

/** @throws BackingFault if this machine cannot run a real node; the message says what the machine lacks */
export async function assertNodePossible(): Promise<void> {
  const missing = await missingForNode();
  if (missing.length === 0) return;
  throw new BackingFault(
    'SERVER_MISSING',
    `A real node cannot run here without ${missing.join(', ')}.`,
    'Install the packages (Debian: `apt-get install containerd runc containernetworking-plugins iptables iproute2`) '
      + 'and run the command as root, or leave out --nodes.',
  );
}
