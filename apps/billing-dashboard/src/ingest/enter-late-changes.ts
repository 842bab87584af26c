import { sql, type Transaction } from '@platform/postgres';
import { insertAudit } from '@platform/writes';
import { lowers } from '../usage/late-changes.ts';
import { type Copy, seenBy, seenForUs } from './arrived-event.ts';
import type { BelatedCopy, Judged } from './judge-copies.ts';
import { timestamp } from '../usage/micros.ts';
import { parkEvents } from './parked-events.ts';
import { lastOfMoment } from '../usage/read-versions.ts';
import type { VersionRow } from './version-row.ts';

/**
 * A copy of an event that deletes an object or lowers its amounts. The copy arrived too late to lower the use before
 * `copy.provenAt`.
 */
interface LateChange {
  readonly meteredId: number;
  readonly ownerId: number;
  readonly copy: BelatedCopy;
  /**
   * The time from which the change counts, in microseconds. Undefined if the change does not count, because this event
   * or an event with a later time is already stored.
   */
  readonly countsFrom: number | undefined;
}

/** What the database stores about the object of a belated copy. `time` is the time of the copy, in microseconds. */
interface Judgement {
  readonly place: number;
  readonly time: number;
  /** Whether the event of the copy is already stored. */
  readonly isKnown: boolean;
  /** Whether an event with a later time is stored for the object. */
  readonly isSuperseded: boolean;
  /** The type of the last stored event that is not later than the copy; null if there is none. */
  readonly type: string | null;
  readonly cpu: string | null;
  readonly memory: string | null;
}

interface Belated {
  readonly copy: BelatedCopy;
  readonly row: VersionRow;
  readonly judgement: Judgement;
}

/**
 * An object with this many rows in `late_statement` gets no further rows. With more rows, the renewal of its usage
 * would be slow.
 */
const mostStatements = 1_000;

/**
 * Decides how belated copies count (open-points 13.5). Call this function after the other copies of the batch are
 * stored. A belated copy can only raise amounts for the time before its `provenAt`. For the time from `provenAt` on,
 * the event of the copy counts, unless this event or an event with a later time is already stored for the object.
 */
export async function placeBelated(
  transaction: Transaction, judged: readonly Judged[], rowOf: (one: Judged, counted: readonly Copy[]) => VersionRow,
): Promise<{ rows: readonly VersionRow[]; changes: readonly LateChange[] }> {
  const given = judged.flatMap((one) => one.belated.map((copy) => ({ copy, row: rowOf(one, [copy]) })));
  if (given.length === 0) return { rows: [], changes: [] };
  const judgements = await judgeByRows(transaction, given.map(({ copy, row }) => ({
    place: row.place, time_us: copy.time, object_id: row.object_id, identity: row.identity, metered_id: row.metered_id,
  })));
  const belated = given.map((item): Belated => ({
    ...item,
    judgement: judgements.find(({ place, time }) => place === item.row.place && time === item.copy.time)!,
  }));
  const firsts = [...Map.groupBy(belated, ({ row }) => row.place).values()].map((own) => own[0]!);
  await addStatements(transaction, belated.filter((item) => item.row.type !== 'deleted' && !isLower(item)));
  // A deletion is reported once. A lowered amount is reported for each copy.
  const reported = belated.filter((item) =>
    (item.row.type === 'deleted' ? firsts.includes(item) && !item.judgement.isKnown : isLower(item)));
  return {
    rows: firsts.filter(({ judgement }) => !judgement.isKnown).map(placeEvent),
    changes: reported.map(({ row, copy, judgement }) => ({
      meteredId: row.metered_id!, ownerId: row.owner_id!, copy,
      countsFrom: judgement.isKnown || judgement.isSuperseded ? undefined : copy.provenAt,
    })),
  };
}

function judgeByRows(transaction: Transaction, copies: readonly object[]): Promise<Judgement[]> {
  const at = timestamp(sql`given.time_us`);
  return transaction.query(sql<Judgement>`
    select given.place, given.time_us as "time", known.version is not null as "isKnown",
           exists (
             select from object_version
              where metered_id = given.metered_id and at > ${at} and coalesce(said_at, at) > ${at}
           ) as "isSuperseded",
           before.type, before.cpu, before.memory
      from jsonb_to_recordset(${sql.json(copies)}::jsonb) as given (
        place integer, time_us bigint, object_id bigint, identity text, metered_id bigint
      )
      left join lateral (
        select version from object_version
         where object_id = given.object_id and identity = decode(given.identity, 'hex') limit 1
      ) known on true
      left join lateral (
        select version.type, version.cpu, version.memory from object_version version
         where version.metered_id = given.metered_id and version.at <= ${at}
         order by version.at desc, ${lastOfMoment} limit 1
      ) before on true`);
}

function isLower({ row, judgement: { type, cpu, memory } }: Belated): boolean {
  if (type === null || type === 'deleted') return false;
  return lowers({ cpu: BigInt(row.cpu!), memory: BigInt(row.memory!) }, { cpu: BigInt(cpu!), memory: BigInt(memory!) });
}

function placeEvent({ row, copy: { provenAt, time }, judgement }: Belated): VersionRow {
  // The row is stored, but it does not count, because an event with a later time is already stored.
  if (judgement.isSuperseded) {
    return {
      ...row, metered_id: null, owner_id: null, cpu: null, memory: null, storage: null, replicas: null, mode: null,
      resource_trial: null, detail: null,
    };
  }
  return { ...row, seen: seenBy([{ time: provenAt, until: provenAt }]), said_us: time };
}

async function addStatements(transaction: Transaction, belated: readonly Belated[]): Promise<void> {
  if (belated.length === 0) return;
  const rows = belated.map(({ row, copy }) => ({
    metered_id: row.metered_id, identity: row.identity, at_us: copy.time,
    until_us: Math.min(copy.until + seenForUs, copy.provenAt), received_us: copy.receivedAt,
    generation: row.generation, cpu: row.cpu, memory: row.memory, mode: row.mode, resource_trial: row.resource_trial,
  }));
  await transaction.execute(sql`
    insert into late_statement (
      metered_id, identity, at, until, received_at, generation, cpu, memory, mode, resource_trial
    )
    select metered_id, decode(identity, 'hex'), ${timestamp(sql`at_us`)}, ${timestamp(sql`until_us`)},
           ${timestamp(sql`received_us`)}, generation, cpu, memory, mode, resource_trial
      from jsonb_to_recordset(${sql.json(rows)}::jsonb) as given (
        metered_id bigint, identity text, at_us bigint, until_us bigint, received_us bigint, generation bigint,
        cpu numeric, memory numeric, mode text, resource_trial boolean
      )
     where (select count(*) from late_statement known where known.metered_id = given.metered_id) < ${mostStatements}
        on conflict do nothing`);
}

/** Parks late changes for the operator, and writes an audit entry for the owner of each object. */
export async function noteLateChanges(transaction: Transaction, changes: readonly LateChange[]): Promise<void> {
  if (changes.length === 0) return;
  await parkEvents(transaction, changes.map(({ copy: { message, time }, countsFrom }) => ({
    message,
    reason: 'late_change',
    detail: `${iso(time)}, ${countsFrom === undefined ? 'not counted' : `counted from ${iso(countsFrom)}`}`,
  })));
  const objects = [...Map.groupBy(changes, ({ meteredId }) => meteredId).values()];
  await insertAudit(transaction, { accountId: null, name: 'platform', requestId: '' }, objects.map((own) => ({
    action: 'usage.late_change',
    object: `metered_object:${own[0]!.meteredId}`,
    organizationId: own[0]!.ownerId,
    details: {
      events: own.length,
      earliest: iso(Math.min(...own.map(({ copy }) => copy.time))),
      provenUntil: iso(Math.max(...own.map(({ copy }) => copy.provenAt))),
    },
  })));
}

function iso(microseconds: number): string {
  return new Date(microseconds / 1000).toISOString();
}
