import type { Queryable } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { readVersions, type StoredVersion, type VersionsOf } from './read-versions.ts';
import { amounts, toGib, toQuantities } from './figures.ts';
import { rfc3339 } from './month.ts';
import type { Window } from './terms.ts';

/** The state of an object in a period. `to` of the last entry is Infinity. Times are microseconds since 1970. */
export interface HistoryEntry extends Window {
  readonly event: 'created' | 'updated' | 'deleted' | 'stale';
  readonly version: StoredVersion;
}

/**
 * Returns the history of an object (open-points 7.2, 13.5). The object is `created` at its first version, and at its
 * first version after a deletion. It is `stale` while no copy of an event proves its state.
 * @param versions ascending, at most one for each time
 */
function historyOf(versions: readonly StoredVersion[]): HistoryEntry[] {
  const entries: Omit<HistoryEntry, 'to'>[] = [];
  versions.forEach((version, place) => {
    const until = versions[place + 1]?.at ?? Infinity;
    if (version.type === 'deleted') {
      entries.push({ from: version.at, event: 'deleted', version });
      return;
    }
    const begins = entries.length === 0 || entries.at(-1)!.event === 'deleted';
    version.seen.filter(({ from }) => from < until).forEach(({ from, to }, part) => {
      entries.push({ from, event: begins && part === 0 ? 'created' : 'updated', version });
      if (to < until) entries.push({ from: to, event: 'stale', version });
    });
  });
  return entries.map((entry, place) => ({ ...entry, to: entries[place + 1]?.from ?? Infinity }));
}

/**
 * Reads the history of an object, ascending, in parts of limited size. Use one snapshot for all parts, so that they
 * form one history.
 * @param most maximum number of versions in a part, at least 3
 */
export async function* readHistory(
  queryable: Queryable, { id, from, to = null }: VersionsOf, deadline: Deadline, most = 1_000,
): AsyncGenerator<readonly HistoryEntry[], void, undefined> {
  for (let [readFrom, newFrom] = [from, -Infinity]; ;) {
    const read = await readVersions(queryable, [{ id, from: readFrom, to }], most, { deadline });
    const versions = read.get(id) ?? [];
    const last = versions.length < most ? undefined : versions.at(-1)!.at;
    // If there may be more versions, the end of the last version is not known yet, so the next part shows that version.
    // The next part also needs the version before it, to tell `created` from `updated`.
    yield historyOf(versions).filter(({ version: { at } }) => newFrom <= at && at < (last ?? Infinity));
    if (last === undefined) return;
    [readFrom, newFrom] = [versions.at(-2)!.at, last];
  }
}

/** Returns the entries that begin before `until`, as the API shows them. */
export function showHistory(entries: readonly HistoryEntry[], until: number) {
  return entries.filter(({ from }) => from < until).map(({ from, to, event, version }) => {
    const isThere = event === 'created' || event === 'updated';
    return {
      from: rfc3339(from),
      ...(to < until ? { to: rfc3339(to) } : {}),
      ...(isThere ? toQuantities(version, amounts) : { cpu: 0, memory: 0 }),
      storage: isThere ? toGib(version.storage) : 0, replicas: isThere ? version.replicas : 0,
      mode: version.mode, event,
    };
  });
}
