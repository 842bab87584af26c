import { deepEqual, equal, match } from 'node:assert/strict';
import { until } from '@platform/testing';
import { bind, inSeconds, ok } from '../contracts/contract-world.ts';
import type { ConsoleWorld } from './console-world.ts';
import { downloaded } from './visitor.ts';

/** Story 4: the use of a month, by day and down to one object; the use of a quota; CSV and PDF. */
export async function financeLooksAtUsage(world: ConsoleWorld): Promise<void> {
  // Usage is billed from the sixth day on.
  const { http } = world.siteAdmin;
  const { id } = await world.contract(world.acme.id, {
    name: 'January', products: ['productdb'], start: Date.parse('2026-01-06T00:00:00Z') / 1_000, end: inSeconds(3_600),
  });
  await bind(http, id, [{ cluster: world.paris.clusterUid }]);
  const january = '/api/v1/dashboard/summary/2026/1/usage-report/products/productdb/views/clusters-usage-view';
  await until(async () => {
    const { days } = ok<{ days: object[] }>(await http.get(`${january}?org=acme&view_type=billable`));
    return days.length === 5;
  }, { within: 60_000, what: 'the use of five days is billed' });
  const fay = await world.visit(world.siteAdmin);
  const day = async (date: string) => {
    const row = fay.page.getByRole('region', { name: 'Memory per day' }).getByRole('row').filter({ hasText: date });
    await row.waitFor();
    return await row.getByRole('cell').allTextContents();
  };
  await fay.go('/orgs/acme/usage');
  await fay.choose('Month', '2026-01');
  // The daily share of 2 GiB of production and 1 GiB of development, in a month of 31 days.
  deepEqual(await day('2026-01-06'), ['0.0645', '0.0323', '0', '0.0968']);
  for (const name of ['Production', 'Other']) {
    equal((await fay.page.locator(`.chart path[data-series="${name}"]`).getAttribute('d'))?.match(/M/g)?.length, 5);
  }
  await fay.sees(/These figures are final\.$/);
  await fay.page.getByText('All use', { exact: true }).click();
  // Ten days of 3 GiB.
  await fay.sees('43,200');
  const days = fay.page.locator('.chart rect');
  await days.first().waitFor();
  equal(await days.count(), 10);
  deepEqual(await day('2026-01-05'), ['0', '0', '0', '4,320', '4,320']);
  deepEqual(await day('2026-01-06'), ['2,880', '1,440', '0', '0', '4,320']);

  const { name, body } = await downloaded(fay, () => fay.click('CSV', 'link'));
  match(name, /\.csv$/);
  match(body.toString(), new RegExp(`${world.paris.clusterUid}.*43200`));
  const pdf = await downloaded(fay, () => fay.click('PDF of the month', 'link'));
  equal(pdf.body.subarray(0, 5).toString(), '%PDF-');

  await fay.click(world.paris.clusterUid);
  await fay.click('demo');
  // Two objects have this name; choose the one with 2 GiB.
  await fay.page.getByRole('row').filter({ hasText: '28,800' }).getByText('orders', { exact: true }).click();
  const version = fay.page.getByRole('dialog').getByRole('row').nth(1);
  await version.waitFor();
  // CPU, memory, replicas and mode.
  deepEqual((await version.getByRole('cell').allTextContents()).slice(2, 6), ['1', '2', '3', 'prod']);
}

/** The use of a contract's quota in this month, and the day on which the quota is exhausted at this rate. */
export async function financeLooksAtQuotas(world: ConsoleWorld): Promise<void> {
  const { http } = world.siteAdmin;
  const { id } = await world.contract(world.acme.id, {
    name: 'Metered', products: ['productdb'], start: inSeconds(-3_600),
    quota: { enabled: true, metric: 'memory_gib_month', limit: 1_000_000, alertThresholds: [80] },
  });
  await bind(http, id, [{ cluster: world.paris.clusterUid }]);
  const [year, month] = new Date().toISOString().split('-');
  const report = `/api/v1/dashboard/summary/${year}/${month}/usage-report/products/productdb/views/contracts-usage-view`;
  await until(async () => {
    type View = { series: { key: string; points: { memory: number }[] }[] };
    const { series } = ok<View>(await http.get(`${report}?org=acme&view_type=billable`));
    return series.some(({ key, points }) => key === String(id) && points.some(({ memory }) => memory > 0.02));
  }, { within: 60_000, what: 'the contract is used' });
  const fay = await world.visit(world.siteAdmin);
  await fay.go(`/site/contracts/${id}`);
  await fay.sees(/^[\d,.]*[1-9][\d,.]* of 1,000,000 GiB-months$/);
  await fay.sees(/^At this pace the quota lasts all month\. The expected use is [\d,.]*[1-9][\d,.]* GiB-months\.$/);
}
