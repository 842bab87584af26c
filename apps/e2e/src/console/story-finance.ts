import { expect } from '@jest/globals';
import type { ConsoleWorld } from './console-world.ts';
import { downloaded } from './visitor.ts';

/** Story 4: what was used in a month, by day, down to one object; how far a quota is used; CSV and PDF. */
export async function financeLooksAtUsage(world: ConsoleWorld): Promise<void> {
  const fay = await world.visit(world.siteAdmin);
  await fay.go('/orgs/acme/usage');
  await fay.choose('Month', '2026-01');
  await fay.sees('These figures are final.');
  await fay.page.getByText('All use', { exact: true }).click();
  await fay.page.locator('.recharts-surface').first().waitFor();
  // Ten days of 3 GiB.
  await fay.sees('43,200');

  const { name, body } = await downloaded(fay, () => fay.click('CSV', 'link'));
  expect(name).toMatch(/\.csv$/);
  expect(body.toString()).toContain(world.paris.clusterUid);
  const pdf = await downloaded(fay, () => fay.click('PDF of the month', 'link'));
  expect(pdf.body.subarray(0, 5).toString()).toBe('%PDF-');

  await fay.click(world.paris.clusterUid);
  await fay.click('demo');
  await fay.click('orders');
  await fay.sees('Replicas');
  await fay.page.keyboard.press('Escape');
}

/** A contract's quota in this month, and the day on which it ends at this pace. */
export async function financeLooksAtQuotas(world: ConsoleWorld): Promise<void> {
  const { id } = await world.contract(world.acme.id, {
    name: 'Metered', products: ['productdb'], clusters: undefined,
    quota: { enabled: true, metric: 'memory_gib_month', limit: 1, alertThresholds: [80] },
  });
  await world.siteAdmin.http.post(`/api/v1/contracts/${id}/clusters`, { json: [{ cluster: world.paris.clusterUid }] });
  const fay = await world.visit(world.siteAdmin);
  await fay.go(`/site/contracts/${id}`);
  await fay.sees(/of 1 GiB-months/);
  await fay.sees(/At this pace/);
}
