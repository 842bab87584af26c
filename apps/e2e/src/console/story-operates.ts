import { deepEqual, equal, ok } from 'node:assert/strict';
import { memberRequestSubject } from '@platform/bus';
import { connect, sql } from '@platform/postgres';
import { InstallerAdminServiceService } from '@platform/proto/marketplace/v1/installer';
import { fakeProvider, rpcClient, until } from '@platform/testing';
import { specCall } from '../operator.ts';
import type { ConsoleWorld } from './console-world.ts';
import { settled } from './look.ts';

const product = 'productdb-enterprise';

/**
 * Story 6: the site admin follows an event to its cluster, queries the cluster, enters an outage, and reprocesses
 * parked events.
 */
export async function siteAdminOperates(world: ConsoleWorld): Promise<void> {
  const { acme, paris } = world;
  await paris.send({ uid: 'b9a0f7d2-0a32-4c0b-8f7e-51d4f4c9f101', time: new Date().toISOString() });
  await paris.connection.subscribe(
    memberRequestSubject({ ownerId: acme.id, clusterUid: paris.clusterUid, productName: product }),
    ({ text, replyTo }) => {
      const { requestId } = JSON.parse(text) as { requestId: string };
      const items = [{ key: 'core/pods/answered-live', lastSeen: 1_767_225_600, values: [] }];
      void paris.connection.publish(replyTo!, JSON.stringify({ requestId, seq: 1, last: true, items }));
    },
  );
  const sam = await world.visit(world.siteAdmin);
  await sam.go(`/site/licensed/${acme.id}/${paris.clusterUid}/4711/${product}`);
  const event = sam.page.getByRole('button', { name: /b9a0f7d2/ });
  await until(async () => {
    await settled(sam.page);
    if (await event.count() > 0) return true;
    await sam.page.reload();
    return false;
  }, { within: 60_000, what: 'the event is stored' });
  await sam.click(/b9a0f7d2/);
  await sam.sees(/cloudevent|specversion|genericresources/i);
  await sam.page.keyboard.press('Escape');
  await sam.click('What the cluster runs now', 'tab');
  await sam.click('Ask the cluster');
  await sam.sees(/answered-live/);

  await sam.click('Outages', 'link');
  await sam.click('Enter an outage');
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString().slice(0, 16);
  await sam.type('From', ago(7_200_000));
  await sam.type('Until', ago(3_600_000));
  await sam.tag('Tags', 'network');
  await sam.confirm('Enter');
  await sam.sees('1 outage');
  await sam.sees('By cause');

  await sam.click('Subscriptions', 'link');
  await sam.sees('No subscriptions yet');
  await using hosted = await fakeProvider(() => ({ status: 200 }), { 500: {}, 429: {} });
  const subscription = await subscribe(world, hosted.url);
  await sam.page.reload();
  await sam.click(subscription);
  await sam.sees('Bounded');
  await sam.click('Ping');
  await sam.sees('The customer’s platform answers');
  await sam.submit('Revoke', 'Revoke', [/^Type/, subscription]);
  await sam.sees('Revoked');
  await sam.sees('revoke: success');
  equal(await sam.page.getByRole('button', { name: 'Revoke' }).count(), 0);

  await paris.send('no event');
  await sam.click('Operations', 'link');
  await sam.sees('Site admins who can sign in');
  await sam.page.getByRole('region', { name: 'installers' }).getByText('Pending', { exact: true }).waitFor();
  await until(async () => {
    await sam.page.reload();
    await sam.sees('Authorities that sign licences');
    await settled(sam.page);
    return await sam.page.getByRole('row').filter({ hasText: 'malformed' }).count() > 0;
  }, { within: 60_000, what: 'the event is parked' });
  await sam.click('Judge all again');
  await sam.sees('Counted now: 0; still parked: 1');
}

/** Makes a bound subscription of acme whose usage is reported to this address. Returns its id. */
async function subscribe({ platform }: ConsoleWorld, meteringUrl: string): Promise<string> {
  const { grpc, serviceCredential, databases } = platform;
  const addresses = grpc['marketplace-listener'].split(',');
  await using installers = await rpcClient(InstallerAdminServiceService, addresses, { serviceCredential });
  const { subscriptionId } = await installers.createInstaller({
    marketplace: 'ProviderA', name: 'shop', owner: 'acme', meteringUrl, meteringToken: 'token-of-a-site-admin-there',
  }, specCall());
  const { url, schema } = databases['marketplace-listener'];
  await using rows = connect({ url, schema, applicationName: 'spec', maxConnections: 1 });
  // Only deployments of type marketplace receive this notification, so change the row.
  await rows.execute(sql`
    update subscription set state = 'Bounded', bound_at = now(), contracts = 'made'
     where public_id = ${subscriptionId!}`);
  return subscriptionId!;
}

/** Changing the filter of a long list scrolls to its start. */
export async function siteAdminLooksAtChanges({ database, siteAdmin, visit }: ConsoleWorld): Promise<void> {
  const ids = await database.query(sql<{ id: number }>`
    insert into audit (actor, action, object, request_id, via)
    select 'operator', case when number > 3 then 'shown.often' else 'shown.seldom' end, 'user:1', 'spec', 'cli'
      from generate_series(1, 1103) number
    returning id`);
  const sam = await visit(siteAdmin);
  await sam.go('/site/audit');
  await sam.type('What', 'shown.often');
  await sam.sees('1,100 changes');
  await sam.sees(/^Too long to be sorted here/);
  await sam.click('Page 3');
  await sam.type('What', 'shown.seldom');
  await sam.page.getByRole('row').filter({ hasText: 'shown.seldom' }).nth(2).waitFor();
  // The browser sorts a list that fits into one answer.
  const who = sam.page.getByRole('row').locator('td:first-child');
  await sam.click('Organizations', 'link');
  // The list of changes has no such column.
  const sort = sam.page.getByRole('columnheader').getByRole('button', { name: 'Organization' });
  await sort.waitFor();
  await settled(sam.page);
  const shown = await who.allTextContents();
  ok(shown.length > 1);
  const byName = shown.toSorted((one, other) => one.localeCompare(other, 'en'));
  for (const expected of [byName, byName.toReversed()]) {
    await sort.click();
    await settled(sam.page);
    deepEqual(await who.allTextContents(), expected);
  }
  await database.execute(sql`delete from audit where id = any (${ids.map(({ id }) => id)})`);
}
