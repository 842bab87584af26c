import type { Queryable } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { readVersions, type VersionsOf } from './read-versions.ts';
import { type HistoryEntry, historyOf } from './history.ts';

/**
 * Reads the history of an object, ascending, in parts of limited size, because an object may have any number of
 * versions. Use one snapshot, so that the parts form one history.
 * @param most maximum number of versions of a part, at least 3
 */
export async function* readHistory(
  queryable: Queryable, { id, from, to = null }: VersionsOf, deadline: Deadline, most = 1_000,
): AsyncGenerator<readonly HistoryEntry[], void, undefined> {
  for (let [readFrom, newFrom] = [from, -Infinity]; ;) {
    const read = await readVersions(queryable, [{ id, from: readFrom, to }], most, { deadline });
    const versions = read.get(id) ?? [];
    const last = versions.length < most ? undefined : versions.at(-1)!.at;
    // The next part must contain the end of the last version, and the version before the last version. So the next part
    // begins one version earlier.
    yield historyOf(versions).filter(({ version: { at } }) => newFrom <= at && at < (last ?? Infinity));
    if (last === undefined) return;
    [readFrom, newFrom] = [versions.at(-2)!.at, last];
  }
}
