import { sql, type Transaction } from '@platform/postgres';
import type { Detail } from '../payload/metered.ts';
import { micros, timestamp } from './micros.ts';
import type { Place } from './read-terms.ts';
import { lastOfMoment } from './read-versions.ts';
import type { Segment } from './segments.ts';
import type { Version } from './version.ts';

/** A metered object whose usage must be calculated again. */
export interface Due extends Place {
  readonly id: number;
  readonly firstUs: number;
  /** The time from which usage must be renewed, in microseconds since 1970; null for all of the usage. */
  readonly dueUs: number | null;
}

export interface Renewed {
  readonly object: Due;
  /** The renewed period, including `from` and excluding `to`, in microseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly segments: readonly Segment[];
  /** The time from which usage must still be renewed, in microseconds since 1970; null if all usage is renewed. */
  readonly nextUs: number | null;
}

export async function putSegments(transaction: Transaction, renewed: readonly Renewed[]): Promise<void> {
  const rows = renewed.flatMap(({ object, segments }) => segments.map((segment) => ({
    metered_id: object.id, from_us: segment.from, to_us: segment.to,
    month: new Date(segment.from / 1000).toISOString().slice(0, 7) + '-01',
    owner_id: object.ownerId, product: object.product,
    cpu: segment.cpu.toString(), memory: segment.memory.toString(),
    contract_id: segment.contractId, class: segment.class, mode: segment.mode, event_us: segment.eventAt,
  })));
  const given = sql`
    jsonb_to_recordset(${sql.json(rows)}::jsonb) as given (
      metered_id bigint, from_us bigint, to_us bigint, month date, owner_id bigint, product text, cpu numeric,
      memory numeric, contract_id bigint, class text, mode text, event_us bigint
    )`;
  // Without this setting, triggers would sum up the usage after each of these statements.
  await transaction.query(sql`select set_config('usage.summed_by', 'writer', true)`);
  const ids = sql`${renewed.map(({ object }) => object.id)}::bigint[]`;
  const removed = await transaction.query(sql<ObjectMonth>`
    delete from usage_segment old
     using unnest(
       ${ids}, ${renewed.map(({ from }) => from)}::bigint[], ${renewed.map(({ to }) => to)}::bigint[]
     ) as part (metered_id, from_us, to_us)
     where old.metered_id = any (${ids}) and old.metered_id = part.metered_id
       and old.from_us >= part.from_us and old.from_us < part.to_us
       and (old.metered_id, old.from_us) not in (select metered_id, from_us from ${given})
    returning old.metered_id as "meteredId", to_char(old.month, 'YYYY-MM-DD') as "month"`);
  const put = await transaction.query(sql<ObjectMonth>`
    insert into usage_segment as old (
      metered_id, from_us, to_us, month, owner_id, product, cpu, memory, contract_id, class, mode,
      event_us
    )
    select * from ${given}
        on conflict (metered_id, from_us) do update
       set to_us = excluded.to_us, cpu = excluded.cpu, memory = excluded.memory, contract_id = excluded.contract_id,
           class = excluded.class, mode = excluded.mode, event_us = excluded.event_us
     where (old.to_us, old.cpu, old.memory, old.contract_id, old.class, old.mode, old.event_us)
        is distinct from (excluded.to_us, excluded.cpu, excluded.memory, excluded.contract_id, excluded.class,
                          excluded.mode, excluded.event_us)
    returning metered_id as "meteredId", to_char(month, 'YYYY-MM-DD') as "month"`);
  const changed = new Map([...removed, ...put].map((one) => [`${one.meteredId} ${one.month}`, one]));
  await transaction.query(sql`
    select renew_usage_months(
      ${[...changed.values()].map(({ meteredId }) => meteredId)}::bigint[],
      ${[...changed.values()].map(({ month }) => month)}::date[]
    )`);
}

interface ObjectMonth {
  readonly meteredId: number;
  /** First day of the month. */
  readonly month: string;
}

type LastEvent = Pick<Version, 'type' | 'at'>
  & { readonly detail: Omit<Detail, 'pods' | 'volumes' | 'namespaceMetadata'> };

/** Reads the latest event of each object, without large details. */
export async function readLastEvents(
  transaction: Transaction, due: readonly Due[],
): Promise<ReadonlyMap<number, LastEvent>> {
  const rows = await transaction.query(sql<LastEvent & { id: number }>`
    select given.id, last.type, ${micros(sql`last.at`)} as "at",
           last.detail - '{pods,volumes,namespaceMetadata}'::text[] as "detail"
      from unnest(${due.map(({ id }) => id)}::bigint[]) as given (id)
     cross join lateral (
       select version.type, version.at, version.detail from object_version version
        where version.metered_id = given.id order by version.at desc, ${lastOfMoment} limit 1
     ) last`);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Stores what the latest event of each object states, and the time from which usage must still be renewed.
 * @param settledMs how long an object must be due before it is renewed, in milliseconds; the rest of an object that was
 *   renewed in part does not wait so long
 */
export async function putObjects(
  transaction: Transaction, renewed: readonly Renewed[], lastEvents: ReadonlyMap<number, LastEvent>,
  settledMs: number,
): Promise<void> {
  const rows = renewed.map(({ object, nextUs }) => {
    const { type, at, detail } = lastEvents.get(object.id)!;
    return {
      id: object.id, due_us: nextUs, api_group: detail.group, kind: detail.kind, name: detail.name,
      namespace: detail.namespace, namespace_uid: detail.namespaceUid, client_org_id: detail.clientOrgId,
      created_us: createdUs(detail.createdAt) ?? object.firstUs, deleted_us: type === 'deleted' ? at : null,
    };
  });
  await transaction.execute(sql`
    update metered_object object
       set due_from = ${timestamp(sql`due_us`)},
           due_since = case when due_us is not null then now() - ${settledMs} * interval '1 millisecond' end,
           api_group = given.api_group, kind = given.kind, name = given.name,
           namespace = given.namespace, namespace_uid = given.namespace_uid, client_org_id = given.client_org_id,
           created_at = ${timestamp(sql`created_us`)},
           deleted_at = ${timestamp(sql`deleted_us`)}
      from jsonb_to_recordset(${sql.json(rows)}::jsonb) as given (
        id bigint, due_us bigint, api_group text, kind text, name text, namespace text, namespace_uid text,
        client_org_id text, created_us bigint, deleted_us bigint
      )
     where object.id = any (${rows.map(({ id }) => id)}::bigint[]) and object.id = given.id`);
}

/** Returns the creation time that an object reports; undefined if it is invalid, before 1970 or in the future. */
function createdUs(createdAt: string): number | undefined {
  const milliseconds = Date.parse(createdAt);
  return milliseconds >= 0 && milliseconds <= Date.now() ? milliseconds * 1000 : undefined;
}
