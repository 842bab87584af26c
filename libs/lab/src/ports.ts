import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '@platform/backing';
import { writeSecret } from './cluster-folder.ts';

/** Ports of the lab on 127.0.0.1. They are stored, so that the kubeconfigs stay valid after a restart. */
export interface LabPorts {
  readonly etcd: number;
  readonly hubController: number;
  /** Ports by name of the cluster. The hub does not use `agent`. */
  readonly clusters: Readonly<Record<string, { readonly api: number; readonly agent: number }>>;
}

/** Parts of a lab start many seconds after their ports are chosen. Meanwhile, no platform must choose these ports. */
const labPorts = { from: 31_000, to: 32_768 };

/** Returns the stored ports. Chooses and stores the ports that are missing, such as those of new clusters. */
export async function keptPorts(home: string, names: readonly string[]): Promise<LabPorts> {
  const file = join(home, 'ports.json');
  const kept = await readFile(file, 'utf8').then((text) => JSON.parse(text) as LabPorts, () => undefined);
  const missing = names.filter((name) => kept?.clusters[name] === undefined);
  if (kept !== undefined && missing.length === 0) return kept;
  const fresh = await freePorts(2 + 2 * missing.length, labPorts);
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
