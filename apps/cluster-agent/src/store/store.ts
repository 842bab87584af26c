import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Resource } from '@platform/kubernetes';
import { type Action, cloudEvent, type EventContent } from '../events/cloud-event.ts';
import { resourceKey } from '../kinds.ts';
import { openQueue, type Queue } from './queue.ts';

export interface Statement {
  readonly uid: string;
  readonly resource: Resource;
  /** Undefined if the kind has no generations. The store then numbers the reported states of the object. */
  readonly generation: number | undefined;
  content(licenceId: string): EventContent;
}

/** An item of a ResourceHistoryList: the last reported state of an object (spec §2.5). */
export interface SaidItem {
  readonly key: string;
  /** Time of the last report, in Unix seconds. */
  readonly lastSeen: number;
  readonly values: readonly {
    readonly resourceID: Resource; readonly licenseID: string; readonly version: number; readonly timestamp: number;
  }[];
}

/**
 * The last reported states of objects, and the events that the bus has not stored yet, in one SQLite file. A state and
 * its event are stored in one transaction. A power failure may lose the last commits (`synchronous` `normal`). The
 * agent then reports the states again, because the API server sends the objects again. The platform orders the events
 * of an object by their times. So a new event of an object gets a later time than the last one, even if the clock was
 * set back. For the exceptions, see `timeAfter` and `goneKeptMs`.
 */
export interface Store extends Disposable {
  readonly queue: Queue;
  transact(act: () => void): void;
  /** Sets the licence under which changes are reported and questions are answered from now on. */
  useLicence(id: string): void;
  /** Reports the state of an object. Does not report an unchanged state again, not even under a new licence. */
  say(statement: Statement, now: Date): void;
  /** Reports that an object is gone. Does nothing if no state of the object is stored. */
  sayGone(uid: string, now: Date): void;
  /**
   * Repeats due reports about objects of the resource `key`. A report is due if its time is `before` or earlier. If the
   * clock was set back, a report may have a time after `now`. This report is due too, unless the first report of the
   * same state has a time in the ten minutes after `now`.
   * @returns the number of repeated reports, at most `most`
   */
  repeat(key: string, before: Date, now: Date, most: number): number;
  /** Returns the UIDs of all objects of the resource `key` whose state is stored. */
  known(key: string): readonly string[];
  /** Removes the states of objects whose resource is not one of `keys`. */
  forgetOthers(keys: readonly string[]): void;
  /**
   * Returns the last reported states for the current licence. Returns an empty list for an earlier licence, and
   * undefined for an unknown licence. An empty `group` or `name` matches everything.
   */
  items(licenceId: string, group: string, name: string): readonly SaidItem[] | undefined;
}

interface Row extends EventContent {
  readonly uid: string;
  readonly resource: string;
  readonly generation: number;
  readonly version: number;
  readonly action: Action;
  readonly licence: string;
  /** Time of the first event that reported this state of the object, in Unix milliseconds. */
  readonly since: number;
  /** Time of the last event that reported this state of the object, in Unix milliseconds. */
  readonly said: number;
}

/** The platform counts an event only if its time is at most this many milliseconds in the future (open-points 13.2). */
const mostAheadMs = 600_000;
/**
 * Minimum age, in milliseconds, at which rows of `gone` are deleted. `gone` contains the time of the last event of each
 * object whose state was removed, because a new event of the object needs a later time.
 */
const goneKeptMs = 86_400_000;

const tables = `
  pragma journal_mode = wal;
  pragma synchronous = normal;
  create table if not exists said (
    uid text primary key, resource text not null, resource_id text not null, generation integer not null,
    version integer not null, action text not null, licence text not null, source text not null, data text not null,
    since integer not null, said integer not null
  ) strict;
  create index if not exists said_by_age on said (resource, said);
  create table if not exists gone (uid text primary key, said integer not null) strict;
  create index if not exists gone_by_age on gone (said);
  create table if not exists licence (id text primary key) strict;
`;

/** @throws Error, for example if another agent uses the folder */
export function openStore(folder: string, domain: string, mostBytes?: number): Store {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(join(folder, 'agent.db'));
  // Only one agent can use the state. The first access takes a lock, which is kept until the database is closed.
  database.exec('pragma locking_mode = exclusive');
  database.exec(tables);
  const queue = openQueue(database, mostBytes);
  const find = database.prepare('select * from said where uid = ?');
  const put = database.prepare(`
    insert into said (uid, resource, resource_id, generation, version, action, licence, source, data, since, said)
    values ($uid, $resource, $resourceId, $generation, $version, $action, $licence, $source, $data, $since, $since)
    on conflict (uid) do update
      set generation = excluded.generation, version = excluded.version, action = excluded.action,
          licence = excluded.licence, source = excluded.source, data = excluded.data, since = excluded.since,
          said = excluded.said`);
  const noteLicence = database.prepare('insert into licence (id) values (?) on conflict do nothing');
  const findLicence = database.prepare('select 1 from licence where id = ?');
  const drop = database.prepare('delete from said where uid = ?');
  const due = database.prepare('select * from said where resource = ? and said <= ? order by said limit ?');
  // Finds states whose last event (`said`) is in the future, because the clock was set back. Leaves out a state whose
  // first event (`since`) is also in the future: the platform dates an event by its earliest copy, so a repetition now
  // could move the event before earlier events. Includes a state if `since` is too far ahead to be counted, because the
  // repetition corrects the time.
  const ahead = database.prepare(`
    select * from said where resource = $key and said > $now and (since <= $now or since > $now + ${mostAheadMs})
     order by said limit $most`);
  const findGone = database.prepare('select said from gone where uid = ?');
  const putGone = database.prepare('insert or replace into gone (uid, said) values (?, ?)');
  const dropGone = database.prepare('delete from gone where said < ?');
  const touch = database.prepare('update said set said = ? where uid = ?');
  const ofResource = database.prepare('select uid from said where resource = ?');
  const listed = database.prepare(`
    select uid, resource, resource_id as "resourceId", version, since, said from said order by uid`);
  let licence = '';

  return {
    queue,
    transact: (act) => {
      database.exec('begin immediate');
      try {
        act();
        database.exec('commit');
      } catch (error) {
        database.exec('rollback');
        queue.recount();
        throw error;
      }
    },
    useLicence: (id) => {
      licence = id;
      noteLicence.run(id);
    },
    say: ({ uid, resource, generation, content }, now) => {
      const before = find.get(uid) as Row | undefined;
      // For the comparison, use the licence of the last report, because a new licence alone is no change.
      if (before !== undefined && isSame(before, content(before.licence))) return;
      const { source, data } = content(licence);
      const last = before ?? findGone.get(uid) as Pick<Row, 'said'> | undefined;
      const time = timeAfter(last?.said, now);
      const since = time.getTime();
      const action = before === undefined ? 'created' : 'updated';
      const counted = generation ?? (before?.generation ?? 0) + 1;
      put.run({
        uid, resource: resourceKey(resource), resourceId: JSON.stringify(resource), generation: counted,
        version: (before?.version ?? 0) + 1, action, licence, source, data, since,
      });
      queue.add(action, cloudEvent({ uid, generation: counted, source, action, data, since }, domain, time), now);
    },
    sayGone: (uid, now) => {
      const before = find.get(uid) as Row | undefined;
      if (before === undefined) return;
      const time = timeAfter(before.said, now);
      drop.run(uid);
      dropGone.run(now.getTime() - goneKeptMs);
      putGone.run(uid, time.getTime());
      queue.add('deleted', cloudEvent({ ...before, action: 'deleted' }, domain, time), now);
    },
    repeat: (key, before, now, most) => {
      const late = due.all(key, before.getTime(), most);
      const early = ahead.all({ key, now: now.getTime(), most: most - late.length });
      const rows = [...late, ...early] as unknown as readonly Row[];
      for (const row of rows) {
        touch.run(now.getTime(), row.uid);
        queue.add('repeated', cloudEvent(row, domain, now), now);
      }
      return rows.length;
    },
    known: (key) => ofResource.all(key).map(({ uid }) => uid as string),
    forgetOthers: (keys) => {
      const places = keys.map(() => '?').join(', ');
      const others = `from said where resource not in (${places})`;
      database.prepare(`insert or replace into gone (uid, said) select uid, said ${others}`).run(...keys);
      database.prepare(`delete ${others}`).run(...keys);
    },
    items: (licenceId, group, name) => {
      if (findLicence.get(licenceId) === undefined) return undefined;
      if (licenceId !== licence) return [];
      const rows = listed.all() as unknown as readonly (Row & { readonly resourceId: string })[];
      return rows.flatMap(({ uid, resource, resourceId, version, since, said }) => {
        const resourceID = JSON.parse(resourceId) as Resource;
        if ((group !== '' && group !== resourceID.group) || (name !== '' && name !== resourceID.name)) return [];
        const value = { resourceID, licenseID: licenceId, version, timestamp: seconds(since) };
        return [{ key: `${resource}/${uid}`, lastSeen: seconds(said), values: [value] }];
      });
    },
    [Symbol.dispose]: () => database.close(),
  };
}

/**
 * Returns the time of a new event of an object: now. If `last` is not before now, returns one millisecond after `last`.
 * If `last` is ten minutes ahead or more, returns now, because the platform would not count an event after `last`.
 * @param last time of the object's last event
 */
function timeAfter(last: number | undefined, now: Date): Date {
  if (last === undefined || last < now.getTime() || last >= now.getTime() + mostAheadMs) return now;
  return new Date(last + 1);
}

function isSame(one: EventContent, other: EventContent): boolean {
  return one.data === other.data && one.source === other.source;
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}
