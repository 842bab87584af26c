import { type Fragment, sql } from '@platform/postgres';
import type { World } from '../orgs/world.ts';
import { byId, type ChangingList, databaseOf, type MakeList, rowsOf, uuidOf } from './changing-lists.ts';

const dashboard = '/api/v1/dashboard';
const org = '?org=administration';
/** Ids of accounts, far above those that the platform assigns. */
let used = 6_000_000_000_000;

const billingOf = (world: World) => databaseOf(world, 'billing-dashboard');

/**
 * An account of a cluster with a licence, as billing-dashboard knows them; `at` returns path and query below the
 * account: `…/clusters` for `clusters`.
 */
async function customer(world: World) {
  const rows = billingOf(world);
  const id = (used += 1);
  await rows.execute(accounts([id]));
  await rows.execute(contacts({ owner: id, ids: [id] }));
  return { id, clusterUid: uuidOf(id), rows, at: (path: string) => `${dashboard}/users/${id}/${path}${org}` };
}
type Customer = Awaited<ReturnType<typeof customer>>;

const accounts = (ids: readonly number[]) => sql`
  insert into account (id, slug, kind) select one, 'account-' || one, 'user' from unnest(${ids}::bigint[]) one`;

const licences = (owner: number | undefined, ids: readonly number[]) => sql`
  insert into licence (id, owner_id, cluster_uid, plan, features, not_before, not_after, created_at)
  select one::text, owner, ${uidOf(sql`owner`)}, 'productdb-enterprise', '{productdb}', now(), now(),
         now() - one % 1000 * interval '1 second'
    from unnest(${ids}::bigint[]) one cross join lateral (select coalesce(${owner ?? null}::bigint, one)) belongs (owner)`;

/** Contacts that differ in the column `by`, or in the account. */
const contacts = ({ owner, ids, by = 'owner_id' }: {
  owner?: number; ids: readonly number[]; by?: 'owner_id' | 'cluster_uid' | 'licence_id' | 'product_name';
}) => sql`
  insert into product_contact (owner_id, cluster_uid, licence_id, product_name, first_received_at, last_received_at)
  select owner, ${uidOf(by === 'cluster_uid' ? sql`one` : sql`owner`)},
         case when ${by} = 'licence_id' then one::text else 'licence' end,
         case when ${by} = 'product_name' then one::text else 'product' end,
         now() - one % 1000 * interval '1 second', now()
    from unnest(${ids}::bigint[]) one cross join lateral (select coalesce(${owner ?? null}::bigint, one)) belongs (owner)`;

/** `uuidOf` in SQL. */
const uidOf = (number: Fragment) => sql`('00000000-0000-4000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/** A list of accounts, each with a licence. */
const usersAt = (path: string, areActive: boolean): MakeList => (world) => {
  const rows = billingOf(world);
  return byId(`${dashboard}/users${path}${org}`, {
    put: async (ids) => {
      await rows.execute(accounts(ids));
      await rows.execute(licences(undefined, ids));
      if (areActive) await rows.execute(contacts({ ids }));
    },
    take: (ids) => rows.execute(sql`
      with account_gone as (delete from account where id = any (${ids})),
           contact_gone as (delete from product_contact where owner_id = any (${ids}))
      delete from licence where owner_id = any (${ids})`),
  }, { keyOf: ({ userID }: { userID: number }) => userID });
};

/** A list that is derived from contacts of one account. */
const contactsAt = (
  by: 'licence_id' | 'product_name', address: (owner: Customer) => string, keyOf: (item: never) => number,
): MakeList => async (world) => {
  const owner = await customer(world);
  return byId(address(owner), {
    put: (ids) => owner.rows.execute(contacts({ owner: owner.id, ids, by })),
    take: (ids) => owner.rows.execute(sql`
      delete from product_contact where owner_id = ${owner.id} and ${sql.identifier(by)} = any (${ids.map(String)})`),
  }, { keyOf });
};

const licenceKey = ({ licenseID }: { licenseID: string }) => (licenseID === 'licence' ? 0 : Number(licenseID));

async function activeClusters(world: World): Promise<ChangingList> {
  const { id, at, rows } = await customer(world);
  return {
    address: at('clusters/active'),
    key: uuidOf,
    keyOf: ({ clusterID }: { clusterID: string }) => clusterID,
    put: (candidates) => rows.execute(contacts({ owner: id, ids: candidates, by: 'cluster_uid' })),
    take: (candidates) => rows.execute(sql`
      delete from product_contact where owner_id = ${id} and cluster_uid = any (${candidates.map(uuidOf)}::uuid[])`),
  };
}

async function events(world: World): Promise<ChangingList> {
  const { id, clusterUid, at, rows } = await customer(world);
  return byId(at(`clusters/${clusterUid}/licenses/licence/products/product/events`), {
    put: async (ids) => {
      await rows.execute(sql`
        insert into reported_object (id, owner_id, cluster_uid, product_name, api_group, resource, subject)
        overriding system value
        select one, ${id}::bigint, ${clusterUid}::uuid, 'product', '', 'pods', one::text
          from unnest(${ids}::bigint[]) one`);
      await rows.execute(sql`
        insert into object_version
          (object_id, version, identity, type, licence_id, generation, seen, received_at, last_received_at)
        select one, 1, sha256(one::text::bytea), 'created', 'licence', 1,
               tstzmultirange(tstzrange(now() - one % 1000 * interval '1 second', now() + interval '1 hour')), now(),
               now()
          from unnest(${ids}::bigint[]) one`);
    },
    take: async (ids) => {
      await rows.execute(sql`delete from object_version where object_id = any (${ids})`);
      await rows.execute(sql`delete from reported_object where id = any (${ids})`);
    },
  }, { keyOf: ({ key }: { key: string }) => Number(key.split('/').at(-1)) });
}

/** Lists of the dashboard, by method. */
export const changingDashboardLists: Readonly<Record<string, MakeList>> = {
  'controlplane.billing.v1.DashboardUserService.ListLicensedUsers': usersAt('', true),
  'controlplane.billing.v1.DashboardUserService.ListActiveUsers': usersAt('/active', true),
  'controlplane.billing.v1.DashboardUserService.ListInactiveUsers': usersAt('/inactive', false),
  'controlplane.billing.v1.DashboardUserService.ListUserClusters': async (world) => {
    const { id, at, rows } = await customer(world);
    return byId(at('clusters'), rowsOf(rows, 'cluster', (ids) => sql`
      insert into cluster (id, owner_id, uid, name, display_name, imported_at)
      select one, ${id}::bigint, ${uidOf(sql`one`)}, 'cluster', '', now() from unnest(${ids}::bigint[]) one`));
  },
  'controlplane.billing.v1.DashboardUserService.ListActiveClusters': activeClusters,
  'controlplane.billing.v1.DashboardLicenseService.ListUserLicenses': async (world) => {
    const { id, clusterUid, at, rows } = await customer(world);
    return byId(at(`clusters/${clusterUid}/licenses`), {
      put: (ids) => rows.execute(licences(id, ids)),
      take: (ids) => rows.execute(sql`delete from licence where id = any (${ids.map(String)})`),
    }, { keyOf: licenceKey });
  },
  'controlplane.billing.v1.DashboardLicenseService.ListActiveLicenses': contactsAt(
    'licence_id', ({ at, clusterUid }) => at(`clusters/${clusterUid}/licenses/active`), licenceKey,
  ),
  'controlplane.billing.v1.DashboardLicenseService.ListActiveLicensesOfCluster': contactsAt(
    'licence_id', ({ clusterUid }) => `${dashboard}/clusters/${clusterUid}/licenses/active${org}`, licenceKey,
  ),
  'controlplane.billing.v1.DashboardLicenseService.ListReceivedProducts': contactsAt(
    'product_name', ({ at, clusterUid }) => at(`clusters/${clusterUid}/licenses/licence/products`),
    ({ productName }: { productName: string }) => (productName === 'product' ? 0 : Number(productName)),
  ),
  'controlplane.billing.v1.DashboardEventService.ListEvents': events,
  'controlplane.billing.v1.OutageService.ListOutageTags': (world) => {
    const rows = billingOf(world);
    const key = (candidate: number) => `tag-${candidate}`;
    return Promise.resolve({
      address: `${dashboard}/system-outages/tags${org}`,
      key,
      keyOf: (tag: string) => tag,
      put: (candidates) => rows.execute(sql`
        insert into outage (account_id, cluster_id, starts_at, ends_at, tags, comments)
        select 0, tag, now(), now() + interval '1 hour', array[tag], '' from unnest(${candidates.map(key)}::text[]) tag`),
      take: (candidates) => rows.execute(sql`delete from outage where cluster_id = any (${candidates.map(key)})`),
    });
  },
  'controlplane.marketplace.v1.SubscriptionService.ListSubscriptions': (world) => {
    const rows = databaseOf(world, 'marketplace-listener');
    const key = (candidate: number) => `subscription${String(candidate).padStart(8, '0')}`;
    return Promise.resolve({
      address: `${dashboard}/marketplaces/subscriptions${org}`,
      key,
      keyOf: ({ subscriptionId }: { subscriptionId: string }) => subscriptionId,
      put: (candidates) => rows.execute(sql`
        insert into subscription (public_id, marketplace, updated_at)
        select public_id, 'ProviderA', timestamptz 'epoch' + one % 1000 * interval '1 second'
          from unnest(${candidates}::bigint[], ${candidates.map(key)}::text[]) candidate (one, public_id)`),
      take: (candidates) => rows.execute(sql`delete from subscription where public_id = any (${candidates.map(key)})`),
    });
  },
};
