import { equal } from 'node:assert/strict';
import { testLab } from '@platform/testing';
import { startBackend } from '../metricsproxy/test-backend.ts';
import { type ConsoleWorld, dashboards } from './console-world.ts';

/** Story 5: the operator registers a metrics backend, finds its datasource, tries a query, and removes the backend. */
export async function operatorRegistersMetrics(world: ConsoleWorld): Promise<void> {
  await using backend = await startBackend();
  const { hub: { uid } } = await testLab();
  const olga = await world.visit(world.owner);
  await olga.go('/orgs/acme/metrics');
  await olga.submit('Register a backend', 'Register', ['Address', backend.url], ['UUID of the cluster', uid]);
  await olga.sees(`${world.acme.id}.${uid}`);
  equal(await olga.page.getByRole('link', { name: dashboards }).getAttribute('href'), dashboards);
  await olga.type('Query', 'sum(up)');
  await olga.click('Run it');
  await olga.sees(/"status": "success"/);
  equal(backend.seen.at(-1)?.url, '/prom/api/v1/query?x=1&query=sum%28up%29');

  await olga.submit('Unregister one', 'Unregister', ['UUID of the cluster', uid]);
  await olga.sees('The backend is unregistered');
  olga.expectsRefusal(/^\/metrics-proxy\//, 404);
  await olga.page.getByRole('button', { name: 'Run it' }).click();
  await olga.sees('not_found');
}
