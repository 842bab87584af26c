import { readDeployed } from '../src/observability/deployed.ts';
import { findPrometheus } from '../src/observability/prometheus.ts';
import { startWorld } from '../src/orgs/world.ts';
import { ownBus, type ProofOptions, type ProofResult, until } from '@platform/testing';

export const name = 'alerts';
export const describe = 'A Prometheus with the rules of deploy/observability watches a running platform: nothing fires '
  + 'while all is well, every panel has an answer, and a killed service raises an alert until it is back.';
export const servers = true;

const wellForMs = 75_000;

export async function prove({ report }: ProofOptions): Promise<ProofResult> {
  const start = await findPrometheus();
  if (start === undefined) return { figure: 'Prometheus is not available here (Debian: prometheus)', holds: false };
  const bus = await ownBus();
  await using world = await startWorld({
    settings: bus.settings, ownProcess: { of: 'all', because: 'measured' },
  });
  const { services } = world.platform;
  const targets = Object.entries(services).map(([service, { addresses }]) => ({ service, target: addresses['admin']! }));
  await using prometheus = await start(targets);
  const owner = await world.person();
  const { username } = await world.organization(owner);
  const ask = () => owner.http.get(`/api/v1/orgs/${username}/teams`);

  await until(async () => (await prometheus.query('sum(up{job="platform"})'))[0]?.value === targets.length, {
    within: 30_000, what: 'all services are scraped',
  });
  report(`${targets.length} services are scraped`);
  const wellUntil = performance.now() + wellForMs;
  const firedWhileWell = new Set<string>();
  while (performance.now() < wellUntil) {
    await ask();
    for (const { alertname } of await prometheus.firing()) firedWhileWell.add(alertname);
  }
  const broken = await prometheus.brokenRules();
  const { expressions } = await readDeployed();
  const wrong: string[] = [];
  for (const expression of expressions) {
    const asked = expression.replaceAll('$__rate_interval', '1m').replaceAll('$service', '.*');
    await prometheus.query(asked).catch((error: unknown) => wrong.push(`${expression}: ${String(error)}`));
  }
  report(`${expressions.length} expressions asked; ${firedWhileWell.size} alerts while all was well`);

  const killed = performance.now();
  await services.clusters.replicas[0].kill();
  const down = async () => (await prometheus.firing()).some(({ alertname, service }) =>
    alertname === 'PlatformServiceDown' && service === 'clusters');
  await until(down, { within: 120_000, what: 'the alert fires' });
  const firedAfter = (performance.now() - killed) / 1_000;
  report(`clusters was killed; the alert fired after ${firedAfter.toFixed(0)} s`);
  await services.clusters.replicas[0].restart();
  await until(async () => !(await down()), { within: 60_000, what: 'the alert ends' });

  const surprises = [...firedWhileWell];
  return {
    figure: `${expressions.length} expressions, ${surprises.length} alerts while well, down after ${firedAfter.toFixed(0)} s`,
    holds: surprises.length === 0 && broken.length === 0 && wrong.length === 0,
    counterexamples: [...surprises, ...broken, ...wrong],
  };
}
