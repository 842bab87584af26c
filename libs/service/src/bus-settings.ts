import { defaulted, type Setting } from './setting.ts';
import { duration, integer } from './setting-kinds.ts';

/** Settings of late usage, and of the limits on what organizations send over the bus. */
export const busSettings = {
  'usage.lateChanges': defaulted(
    duration(600_000, 35 * 86_400_000), '48h',
    'Deletions and lowered amounts that arrive later than this do not reduce usage that was already proven.',
  ),
  'bus.shards': defaulted(integer(1, 1_024), '1', 'Number of shards in event subjects (open-points 13.2).'),
  'bus.shares.eventsPerSecond': defaulted(
    integer(1, 1_000_000), '200',
    'Events of an organization per second. A burst may have the events of one minute. A member may send half of this. '
      + 'Each replica counts separately.',
  ),
  'bus.shares.bytesPerSecond': defaulted(integer(1_000, 2 ** 40), '20000000', 'The same in bytes.'),
  'bus.shares.waitingBytes': defaulted(
    integer(1_000, 2 ** 50), '2147483648',
    'Maximum number of bytes of unread events of an organization; half of this for a member. Each replica counts '
      + 'separately.',
  ),
  'bus.shares.keptEvents': defaulted(
    integer(2, 2 ** 50), '20000000',
    'Maximum number of raw events of an organization in PostgreSQL; half of this for a member. Further events are '
      + 'refused.',
  ),
  'bus.shares.keptBytes': defaulted(integer(1_000, 2 ** 50), '53687091200', 'The same in bytes.'),
  'bus.shares.parkedEvents': defaulted(
    integer(2, 2 ** 50), '200000',
    'Maximum number of parked events of an organization; half of this for a member. Further events are refused.',
  ),
  'bus.shares.parkedBytes': defaulted(integer(1_000, 2 ** 50), '2147483648', 'The same in bytes.'),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
