import { type Queryable, type QueryOptions, sql, type Transaction } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { type DatabaseReport, startDatabaseReport } from './database-report.ts';
import { readBilledObjects } from './read-billed-objects.ts';
import { keptAfterDeletion } from './read-objects.ts';
import { readDetailedVersions } from './read-versions.ts';

/** The report of one database. `withAges` makes the JSON of the report from `parts`. */
interface ReadReport {
  readonly lastAt: number;
  /** JSON of a `ReportedNamespace`. An empty text means that the namespace of the previous report applies. */
  readonly namespace: string;
  readonly parts: readonly string[];
}

const mostObjects = 1_000;
/** Approximate maximum size of the texts that one statement returns, in bytes. */
const mostBytes = 1024 * 1024;
/** Size that is assumed for an object without a stored text, in bytes. */
const bytesOfMissing = 5_000;

/**
 * SQL condition: a stored text may still be used. Reports leave a volume out 6 months after its deletion. So a text is
 * outdated 6 months after the first deletion of one of its volumes.
 */
const isKept = sql`(
  first_deletion is null or first_deletion > floor(extract(epoch from now() - ${keptAfterDeletion})))`;

/**
 * Reads the reports of objects in the given order, in parts of limited size. Builds the reports that are not stored.
 */
export async function* readDatabaseReports(
  queryable: Queryable, ids: readonly number[], deadline: Deadline,
): AsyncGenerator<Iterable<ReadReport>, void, undefined> {
  for (let start = 0; start < ids.length;) {
    const page = ids.slice(start, start + mostObjects);
    const lines = (await readKept(queryable, page, deadline)).split('\n');
    const missing = page.filter((_, place) => lines[place] === '');
    const made = missing.length === 0 ? [] : await Array.fromAsync(makeReports(queryable, missing, { deadline }));
    const madeLines = new Map(made.map(({ id, ...one }) => [id, `${one.lastAt}\t${one.namespace}\t${one.report}`]));
    yield lines.values().flatMap((line, place) => readLine(line || madeLines.get(page[place]!)));
    start += lines.length;
  }
}

function readLine(line: string | undefined): ReadReport[] {
  if (line === undefined) return [];
  const [lastAt, namespace, ...parts] = line.split('\t');
  return [{ lastAt: Number(lastAt), namespace: namespace!, parts }];
}

/**
 * Reads the stored texts of objects in the given order. Stops at about `mostBytes` in total. Returns one line for each
 * object before the stop. The line is empty if the object has no stored text. PostgreSQL joins the lines, because the
 * PostgreSQL client reads many rows slowly.
 */
async function readKept(queryable: Queryable, ids: readonly number[], deadline: Deadline): Promise<string> {
  const { lines } = await queryable.one(sql<{ lines: string }>`
    select string_agg(
             coalesce(last_at || E'\\t' || coalesce(nullif(namespace, namespace_before), '') || E'\\t' || report, ''),
             E'\\n' order by place
           ) as "lines"
      from (
        select place, last_at, namespace, report, lag(namespace) over (order by place) as namespace_before,
               sum(coalesce(octet_length(report), ${bytesOfMissing}::integer)) over earlier as bytes_before
          from unnest(${ids}::bigint[]) with ordinality as given (id, place)
          left join lateral (
            select * from database_report where metered_id = given.id and ${isKept} limit 1
          ) kept on true
        window earlier as (order by place rows between unbounded preceding and 1 preceding)
      ) kept
     where bytes_before is null or bytes_before < ${mostBytes}`, { deadline });
  return lines;
}

/** Builds the reports of objects from all their versions, in the given order; none for an object without versions. */
async function* makeReports(
  queryable: Queryable, ids: readonly number[], options: QueryOptions,
): AsyncGenerator<DatabaseReport, void, undefined> {
  const objects = new Map((await readBilledObjects(queryable, ids, options)).map((object) => [object.id, object]));
  let started: ReturnType<typeof startDatabaseReport> | undefined;
  for await (const versions of readDetailedVersions(queryable, [...objects.keys()], options)) {
    for (const version of versions) {
      if (started?.id !== version.meteredId) {
        if (started !== undefined) yield started.finish();
        started = startDatabaseReport(objects.get(version.meteredId)!);
      }
      started.add(version);
    }
  }
  if (started !== undefined) yield started.finish();
}

/**
 * Maximum number of versions of an object whose report text is stored. Building longer texts would delay the renewal of
 * usage, which stores the texts.
 */
const mostVersions = 500;

/**
 * Stores missing report texts of objects that are under client billing. Skips objects with more than
 * {@link mostVersions} versions. The caller must have locked the objects.
 */
export async function keepDatabaseReports(transaction: Transaction, ids: readonly number[]): Promise<void> {
  const missing = await transaction.query(sql<{ id: number }>`
    select object.id
      from unnest(${ids}::bigint[]) given (id)
     cross join lateral (select * from metered_object where id = given.id limit 1) object
     where exists (
             select from contract_cluster bound join contract on contract.id = bound.contract_id
              where bound.cluster_uid = object.cluster_uid and bound.removed_at is null
                and contract.owner_id = object.owner_id and contract.enable_client_billing
                and contract.revoked_at is null and contract.ends_at > now()
           )
       and not exists (select from database_report where metered_id = given.id and ${isKept})
       and (
         select count(*)
           from (select from object_version where metered_id = given.id limit ${mostVersions + 1}::integer) first_ones
       ) <= ${mostVersions}`);
  if (missing.length === 0) return;
  const reports = await Array.fromAsync(makeReports(transaction, missing.map(({ id }) => id), {}));
  await transaction.execute(sql`
    insert into database_report (metered_id, last_at, namespace, report, first_deletion)
    select id, "lastAt", namespace, report, "firstDeletion"
      from jsonb_to_recordset(${sql.json(reports)}::jsonb) as given (
        id bigint, "lastAt" bigint, namespace text, report text, "firstDeletion" bigint
      )
        on conflict (metered_id) do update
       set last_at = excluded.last_at, namespace = excluded.namespace, report = excluded.report,
           first_deletion = excluded.first_deletion`);
}
