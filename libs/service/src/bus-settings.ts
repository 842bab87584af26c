import { defaulted, type Setting } from './setting.ts';
import { duration, integer } from './setting-kinds.ts';

/** Settings of late usage, and of the limits on what organizations send over the bus. */
export const busSettings = {
  'usage.lateChanges': defaulted(
    duration(600_000, 35 * 86_400_000), '48h', 'Deletions and lowered amounts that come later take back no proven use.',
  ),
  'bus.shards': defaulted(integer(1, 1_024), '1', 'Number of shards in event subjects (open-points 13.2).'),
  'bus.shares.eventsPerSecond': defaulted(
    integer(1, 1_000_000), '200',
    'Events of an organization per second, those of a minute at once; a member: half. Each replica counts for itself.',
  ),
  'bus.shares.bytesPerSecond': defaulted(integer(1_000, 2 ** 40), '20000000', 'The same in bytes.'),
  'bus.shares.waitingBytes': defaulted(
    integer(1_000, 2 ** 50), '2147483648',
    'Most bytes of events of an organization that wait to be read; a member: half. Each replica counts for itself.',
  ),
  'bus.shares.keptEvents': defaulted(
    integer(2, 2 ** 50), '20000000',
    'Most raw events of an organization that are kept in PostgreSQL; a member: half. Beyond, its events are refused.',
  ),
  'bus.shares.keptBytes': defaulted(integer(1_000, 2 ** 50), '53687091200', 'The same in bytes.'),
  'bus.shares.parkedEvents': defaulted(
    integer(2, 2 ** 50), '200000',
    'Most parked events of an organization that are kept; a member: half. Beyond, its events are refused.',
  ),
  'bus.shares.parkedBytes': defaulted(integer(1_000, 2 ** 50), '2147483648', 'The same in bytes.'),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
