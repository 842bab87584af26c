import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '@platform/backing';
import { writeSecret } from './cluster-folder.ts';

/** Ports of the lab on 127.0.0.1. Kubeconfigs name them, so they stay the same for as long as the state is kept. */
export interface LabPorts {
  readonly etcd: number;
  readonly hubController: number;
  /** By name of the cluster; `agent` only for spokes. */
  readonly clusters: Readonly<Record<string, { readonly api: number; readonly agent: number }>>;
}

/** Reads the kept ports and adds those of clusters that are new. */
export async function keptPorts(home: string, names: readonly string[]): Promise<LabPorts> {
  const file = join(home, 'ports.json');
  const kept = await readFile(file, 'utf8').then((text) => JSON.parse(text) as LabPorts, () => undefined);
  const missing = names.filter((name) => kept?.clusters[name] === undefined);
  if (kept !== undefined && missing.length === 0) return kept;
  const fresh = await freePorts(2 + 2 * missing.length);
  const portsOf = (index: number) => ({ api: fresh[2 + 2 * index]!, agent: fresh[3 + 2 * index]! });
  const added = missing.map((name, index) => [name, portsOf(index)] as const);
  const ports: LabPorts = {
    etcd: kept?.etcd ?? fresh[0]!,
    hubController: kept?.hubController ?? fresh[1]!,
    clusters: { ...kept?.clusters, ...Object.fromEntries(added) },
  };
  await writeSecret(file, JSON.stringify(ports));
  return ports;
}
