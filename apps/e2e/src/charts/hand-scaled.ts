import { type LabHelm, openLabRelease } from './lab-release.ts';

/**
 * Installs, upgrades and rolls back a release, and scales its Deployments by hand before each upgrade and rollback.
 * Returns one line for each command that failed, and for each number of pods that differs from the values.
 * @param installing the helm that installs; default: the helm that upgrades
 */
export async function scaledByHand(lab: LabHelm, namespace: string, installing = lab.helm): Promise<readonly string[]> {
  const wrong: string[] = [];
  let using = installing;
  const helm = { ...lab.helm, release: (...args: Parameters<typeof using.release>) => using.release(...args) };
  const { apply, rollback, podsOf, scale } = await openLabRelease({ ...lab, helm }, namespace);
  const step = async (what: string, work: Promise<void>, gateway: number, clusters: number): Promise<void> => {
    await work.catch((error: unknown) => wrong.push(`${what}: ${(error as Error).message}`));
    const pods = [await podsOf('gateway'), await podsOf('clusters'), await podsOf('openfga')].join(', ');
    if (pods !== `${gateway}, ${clusters}, 1`) wrong.push(`${what}: ${pods} pods`);
  };
  await step('installation', apply('install', 'services.clusters.replicas=2'), 1, 2);
  using = lab.helm;
  const byHand = async () => {
    await scale('gateway', 4);
    await scale('clusters', 5);
    await scale('openfga', 0);
  };
  await byHand();
  await step('upgrade with other values', apply('upgrade', 'services.clusters.replicas=3'), 1, 3);
  await byHand();
  await step('upgrade with the same values', apply('upgrade', 'services.clusters.replicas=3'), 1, 3);
  await byHand();
  await step('rollback', rollback(1), 1, 2);
  await scale('clusters', 6);
  await step('upgrade to the number set by hand', apply('upgrade', 'services.clusters.replicas=6'), 1, 6);
  await step('upgrade, nothing scaled', apply('upgrade', 'workload.replicas=2,services.clusters.replicas=4'), 2, 4);
  return wrong;
}
