import { memberRequestSubject } from '@platform/bus';
import { sql } from '@platform/postgres';
import { until } from '@platform/testing';
import type { ConsoleWorld } from './console-world.ts';
import { settled } from './look.ts';

const product = 'productdb-enterprise';

/** Story 6: the site admin follows an event to its cluster, asks the cluster, enters an outage, and judges again. */
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
  await sam.click(/b9a0f7d2/);
  await sam.sees(/cloudevent|specversion|genericresources/i);
  await sam.page.keyboard.press('Escape');
  await sam.click('What the cluster runs now', 'tab');
  await sam.click('Ask the cluster');
  await sam.sees(/answered-live/);

  await sam.click('Outages', 'link');
  await sam.click('Enter an outage');
  const from = new Date(Date.now() - 7_200_000).toISOString().slice(0, 16);
  const to = new Date(Date.now() - 3_600_000).toISOString().slice(0, 16);
  await sam.type('From', from);
  await sam.type('Until', to);
  await sam.tag('Tags', 'network');
  await sam.confirm('Enter');
  await sam.sees('1 outage');
  await sam.sees('By cause');

  await sam.click('Subscriptions', 'link');
  await sam.sees('No subscriptions yet');

  await paris.send('no event');
  await sam.click('Operations', 'link');
  await sam.sees('Site admins who can sign in');
  await sam.sees('There is no installer');
  await until(async () => {
    await sam.page.reload();
    await sam.sees('Authorities that sign licences');
    await settled(sam.page);
    return await sam.page.getByRole('row').filter({ hasText: 'malformed' }).count() > 0;
  }, { within: 60_000, what: 'the event is parked' });
  await sam.click('Judge all again');
  await sam.sees('Counted now: 0; still parked: 1');
}

/** Of a long list, another filter shows the beginning. */
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
  await sam.click('Page 3');
  await sam.type('What', 'shown.seldom');
  await sam.page.getByRole('row').filter({ hasText: 'shown.seldom' }).nth(2).waitFor();
  await database.execute(sql`delete from audit where id = any (${ids.map(({ id }) => id)})`);
}
