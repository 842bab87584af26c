import { sql, type Transaction } from '@platform/postgres';
import type { Copies } from './arrived-event.ts';
import { timestamp } from '../usage/micros.ts';

/**
 * Stores the latest SiteInfo of each licence. The time of a SiteInfo is the time of its event. If the event was
 * repeated, it is the time of the last repetition.
 */
export async function putSiteInfos(transaction: Transaction, copies: readonly Copies[]): Promise<void> {
  const infos = copies.filter(({ event }) => event.resource === 'siteinfos' && event.object['kind'] === 'SiteInfo');
  if (infos.length === 0) return;
  const given = infos.map(({ event: { member, licenceId, object }, copies: all }) => ({
    owner_id: member.ownerId, cluster_uid: member.clusterUid, licence_id: licenceId, resource: object,
    seen_us: Math.max(...all.map(({ until }) => until)),
  }));
  await transaction.execute(sql`
    insert into site_info as known (owner_id, cluster_uid, licence_id, seen_at, resource)
    select distinct on (owner_id, cluster_uid, licence_id)
           owner_id, cluster_uid, licence_id, ${timestamp(sql`seen_us`)}, resource
      from jsonb_to_recordset(${sql.json(given)}::jsonb) as given (
        owner_id bigint, cluster_uid uuid, licence_id text, seen_us bigint, resource jsonb
      )
     order by owner_id, cluster_uid, licence_id, seen_us desc
        on conflict (owner_id, cluster_uid, licence_id) do update
       set seen_at = excluded.seen_at, resource = excluded.resource where excluded.seen_at > known.seen_at`);
}

export async function noteContacts(transaction: Transaction, copies: readonly Copies[]): Promise<void> {
  const contacts = Map.groupBy(copies, ({ event: { member, licenceId } }) =>
    JSON.stringify([member.ownerId, member.clusterUid, licenceId, member.productName]));
  const rows = [...contacts].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, all], place) => {
    const { member, licenceId } = all[0]!.event;
    return {
      place, owner_id: member.ownerId, cluster_uid: member.clusterUid, licence_id: licenceId,
      product_name: member.productName,
      first_received_at: new Date(Math.min(...all.map(({ receivedAt }) => receivedAt.getTime()))),
      last_received_at: new Date(Math.max(...all.map(({ lastReceivedAt }) => lastReceivedAt.getTime()))),
    };
  });
  await transaction.execute(sql`
    insert into product_contact as known (
      owner_id, cluster_uid, licence_id, product_name, first_received_at, last_received_at
    )
    select owner_id, cluster_uid, licence_id, product_name, first_received_at, last_received_at
      from jsonb_to_recordset(${sql.json(rows)}::jsonb) as given (
        place integer, owner_id bigint, cluster_uid uuid, licence_id text, product_name text,
        first_received_at timestamptz, last_received_at timestamptz
      )
     order by place
        on conflict (owner_id, cluster_uid, licence_id, product_name) do update
       set first_received_at = least(known.first_received_at, excluded.first_received_at),
           last_received_at = greatest(known.last_received_at, excluded.last_received_at)`);
}
