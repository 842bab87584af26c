import { deepEqual, equal, match } from 'node:assert/strict';
import { ok } from '../contracts/contract-world.ts';
import type { ConsoleWorld } from './console-world.ts';
import { downloaded, saveTooLate } from './visitor.ts';

/** Story 3: the site admin sells a contract, issues a licence of a cluster under it, extends it and revokes it. */
export async function siteAdminSells(world: ConsoleWorld): Promise<void> {
  const sam = await world.visit(world.siteAdmin);
  const cluster = '6f1d0d52-98a1-4a54-a8f5-6a1d2c7b9e01';

  const reads: string[] = [];
  sam.page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.ok() && pathname === '/api/v1/contracts') reads.push(response.request().method());
  });
  await sam.click('Contracts', 'link');
  await sam.sees('No contracts yet');
  // The warning about contracts that end soon needs no request besides the list.
  deepEqual(reads, ['GET']);
  await sam.click('New contract');
  await sam.type('Owner', 'acme');
  await sam.type('Name', 'Big deal');
  await sam.choose('Products', 'Product DB');
  await sam.tag('Mails: Finance team', 'finance@example.org');
  await sam.page.getByLabel('Offline licences may be issued').check();
  await sam.page.getByLabel('It has a quota').check();
  await sam.confirm('Create', ['Limit', '500']);
  await sam.sees('The contract is created');

  await sam.click('Big deal');
  await sam.sees('Active');
  // The quota is above the list: a click while it loads would miss the button.
  await sam.sees('Quota of this month');
  await sam.sees('No clusters are bound');
  await sam.click('Bind clusters');
  await sam.tag('UUIDs of other clusters', cluster);
  // Enter completes a word of the list, and does not submit the incomplete form.
  await sam.page.getByLabel('UUIDs of other clusters').last().press('Enter');
  await sam.type('Name', 'paris');
  await sam.tag('Tags', 'europe');
  await sam.confirm('Bind');
  await sam.click('Bind clusters');
  await sam.choose('Imported clusters', 'hub');
  await sam.confirm('Bind');
  await sam.page.getByRole('row').filter({ hasText: 'hub' }).filter({ hasText: 'Yes' }).waitFor();
  await sam.inRow('paris', 'Rename');
  await sam.confirm('Save', ['Name', 'lyon']);
  await sam.inRow('lyon', 'Tags');
  await sam.tag('Tags', 'france');
  await sam.confirm('Save');
  await sam.sees('europe, france');

  await sam.inRow('lyon', 'Issue a licence');
  await sam.sees(/BEGIN CERTIFICATE/);
  const licence = await downloaded(sam, () => sam.click('Download', 'link'));
  equal(licence.name, 'licence-lyon.pem');
  match(licence.body.toString(), /^-----BEGIN CERTIFICATE-----/);
  await sam.confirm('I have kept it');

  const address = new URL(sam.page.url()).pathname;
  await sam.go('/orgs/acme/licences');
  await sam.click('Make the installer: Licence proxy, offline');
  await sam.type('UUID of the cluster', cluster);
  await sam.choose('Contracts', 'Big deal');
  await sam.confirm('Make the installer');
  await sam.sees(/encodedLicenses/);

  await sam.go(address);
  await sam.click('Edit');
  await sam.type('Name', 'Bigger deal');
  const contract = `/api/v1/contracts/${sam.page.url().split('/').at(-1)}`;
  ok(await world.siteAdmin.http.put(contract, { json: { disableAnalytics: true } }));
  await saveTooLate(sam, /\/contracts\/\d+$/);
  await sam.page.getByRole('heading', { level: 1, name: 'Big deal' }).waitFor();

  await sam.submit('Extend', 'Extend');
  await sam.sees('The contract is extended');
  await sam.page.locator('time').last().hover();
  await sam.page.getByRole('tooltip').filter({ hasText: / UTC$/ }).waitFor();

  await sam.submit('Revoke', 'Revoke', [/^Type/, 'Big deal']);
  await sam.sees('Revoked');

  sam.expectsRefusal(/issue-license$/, 405);
  await sam.inRow('lyon', 'Issue a licence');
  await sam.sees('contract_revoked');
  await sam.click('What happened', 'tab');
  for (const event of [/extended/, /revoked/]) await sam.sees(event);

  await sam.go('/orgs/acme/licences');
  await sam.submit('Make the installer: Licence proxy, online', 'Make the installer');
  await sam.sees(/helm/);
}
