import type { LabNode } from '@platform/lab';
import { chartRows } from '../src/charts/chart-rows.ts';
import { inEachPod } from './in-pods.ts';
import { component, type Pod } from './release.ts';

/** Listening ports by component. */
async function portsOf(): Promise<ReadonlyMap<string, readonly number[]>> {
  const services = (await chartRows()).map(({ name, http, passes }): [string, readonly number[]] => {
    return [name, [http === true ? 8080 : 8081, ...passes === undefined ? [] : [passes.port], 9090]];
  });
  return new Map<string, readonly number[]>([
    ...services, ['postgres', [5432]], ['nats', [4222, 8222]], ['openfga', [8080]],
  ]);
}

/**
 * The connections in docs/architecture.md, as `caller -> callee port`; the gateway accepts connections from any pod.
 */
async function permitted(): Promise<ReadonlySet<string>> {
  const rows = await chartRows();
  const mayCallOut = (name: string): boolean => rows.find((row) => row.name === name)?.outside === true;
  return new Set([
    ...rows.flatMap(({ name, calls }) => calls.map((callee) => `${name} -> ${callee} 8081`)),
    ...rows.flatMap(({ name, passes }) => (passes === undefined ? [] : [`gateway -> ${name} ${passes.port}`])),
    ...rows.flatMap(({ name, postgres }) => (postgres ? [`${name} -> postgres 5432`] : [])),
    ...rows.flatMap(({ name, nats }) => (nats ? [`${name} -> nats 4222`] : [])),
    ...rows.flatMap(({ name, openfga }) => (openfga ? [`${name} -> openfga 8080`] : [])),
    'openfga -> postgres 5432',
    // A service that calls customers' addresses may call any address that accepts connections from outside.
    ...rows.flatMap(({ name }) => (mayCallOut(name) ? [`${name} -> gateway 8080`] : [])),
    'outsider -> gateway 8080',
  ]);
}

interface Tried {
  readonly from: string;
  readonly results: readonly { readonly to: string; readonly port: number; readonly connected: boolean }[];
}

/** Tries all connections from inside every pod; returns the wrong results. */
export async function wrongArrows(
  node: LabNode, pods: readonly Pod[], outsider: string,
): Promise<{ readonly tried: number; readonly wrong: readonly string[] }> {
  const running = pods.filter(({ status }) => status.phase === 'Running');
  const names = new Map(running.map((pod) => [pod.status.podIP!, component(pod)]));
  names.set(outsider, 'outsider');
  const [ports, allowed] = [await portsOf(), await permitted()];
  const targets = running.flatMap((pod) => {
    return (ports.get(component(pod)) ?? []).map((port) => ({ to: pod.status.podIP!, port }));
  });
  const wrong: string[] = [];
  let tried = 0;
  const seen = new Set<string>();
  for (const { from, results } of await inEachPod<Tried>(node, 'try-connections.mjs', JSON.stringify(targets))) {
    const caller = names.get(from);
    if (caller === undefined) continue;
    seen.add(caller);
    for (const { to, port, connected } of results) {
      // A pod always reaches itself.
      if (to === from) continue;
      tried += 1;
      const arrow = `${caller} -> ${names.get(to)!} ${port}`;
      if (connected !== allowed.has(arrow)) wrong.push(`${arrow}: ${connected ? 'connected' : 'refused'}`);
    }
  }
  wrong.push(...[...names.values()].filter((name) => !seen.has(name)).map((name) => `nothing was tried from ${name}`));
  return { tried, wrong: [...new Set(wrong)] };
}
