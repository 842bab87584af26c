import { type ProofOptions, type ProofResult, seeded } from '@platform/testing';
import { beginPeak, peakMemory } from '../load/resident-memory.ts';
import { pictureForm } from './form-body.ts';
import { honest, hostile, hostileKinds } from './hostile-pictures.ts';
import { organizationHosts } from '../platform.ts';
import { startWorld } from './world.ts';

export const name = 'hostile-pictures';
export const describe = '200 hostile pictures and forms, each with choices of its own, four at a time: all are refused '
  + 'with 4xx, no process grows by 128 MiB, and honest requests are answered meanwhile.';
export const servers = true;

const [wholeCount, atOnce, mostGrowth] = [200, 4, 128];
const avatarAt = '/api/v1/orgs/acme/avatar/';

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  await using world = await startWorld({
    hosts: organizationHosts, ownProcess: { of: ['orgs-teams', 'gateway'], because: 'measured' },
  });
  const owner = await world.person('owner');
  await world.organization(owner, { username: 'acme' });
  const picture = pictureForm(await honest('png'));
  const upload = () => owner.http.post(avatarAt, { ...picture, within: 30_000 });
  // Memory that each process allocates for its first honest pictures is not growth.
  for (let warm = 0; warm < 8; warm += 1) await upload();
  const { services } = world.platform;
  const pids = [services['orgs-teams'], services.gateway].map(({ replicas: [{ pid }] }) => pid);
  const before = pids.map(beginPeak);

  const counterexamples: string[] = [];
  const count = Math.max(hostileKinds.length, Math.ceil(wholeCount * share));
  let [begun, slowest, honestRequests] = [0, 0, 0];
  async function attack(): Promise<void> {
    while (begun < count) {
      const number = begun;
      begun += 1;
      const { what, ...request } = await hostile(number % hostileKinds.length, seeded(`${seed} ${number}`));
      const { status } = await owner.http.post(avatarAt, { ...request, within: 30_000 });
      if (status < 400 || status > 499) counterexamples.push(`number ${number}, ${what}: ${status}`);
      if (number % 50 === 49) report(`${number + 1} refused`);
    }
  }
  const attacks = Promise.all(Array.from({ length: atOnce }, attack));
  let attacked = false;
  void attacks.finally(() => (attacked = true));
  while (!attacked) {
    for (const ask of [() => owner.http.get('/api/v1/orgs/acme'), () => world.nobody.get('/api/v1/branding'), upload]) {
      const asked = performance.now();
      const { status } = await ask();
      honestRequests += 1;
      slowest = Math.max(slowest, performance.now() - asked);
      if (status !== 200) counterexamples.push(`an honest request: ${status}`);
    }
  }
  await attacks;
  const growth = pids.map(peakMemory).map((mebibytes, index) => Math.round(mebibytes - before[index]!));
  if (growth.some((mebibytes) => mebibytes >= mostGrowth)) counterexamples.push(`grown by ${growth.join(' and ')} MiB`);
  return {
    figure: `${count} hostile requests, ${honestRequests} honest ones meanwhile (slowest ${Math.round(slowest)} ms), `
      + `orgs-teams grew by ${growth[0]} MiB at most, the gateway by ${growth[1]} MiB`,
    holds: counterexamples.length === 0,
    counterexamples,
  };
}
