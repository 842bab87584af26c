import { defaulted, type Setting } from './setting.ts';
import { duration, integer } from './setting-kinds.ts';

/** Settings of late usage, and of the limits for events that accounts send over the bus. */
export const busSettings = {
  'usage.lateChanges': defaulted(
    duration(600_000, 35 * 86_400_000), '48h',
    'Longest delay after which a deletion or a lowered amount still reduces usage that earlier events have proven.',
  ),
  'bus.shards': defaulted(integer(1, 1_024), '1', 'Number of shards in event subjects.'),
  'bus.shares.eventsPerSecond': defaulted(
    integer(1, 1_000_000), '200',
    'Events of an account per second. A burst may have the events of one minute. One product in a cluster may '
      + 'send half of this. Each replica counts separately.',
  ),
  'bus.shares.bytesPerSecond': defaulted(
    integer(1_000, 2 ** 40), '20000000',
    'Bytes of events of an account per second; otherwise as `bus.shares.eventsPerSecond`.',
  ),
  'bus.shares.waitingBytes': defaulted(
    integer(1_000, 2 ** 50), '2147483648',
    'Maximum number of bytes of unread events of an account; half of this for one product in a cluster. Each '
      + 'replica counts separately.',
  ),
  'bus.shares.keptEvents': defaulted(
    integer(2, 2 ** 50), '20000000',
    'Maximum number of raw events of an account in PostgreSQL; half of this for one product in a cluster. Further '
      + 'events are refused.',
  ),
  'bus.shares.keptBytes': defaulted(
    integer(1_000, 2 ** 50), '53687091200',
    'Maximum number of bytes of raw events of an account in PostgreSQL; otherwise as `bus.shares.keptEvents`.',
  ),
  'bus.shares.parkedEvents': defaulted(
    integer(2, 2 ** 50), '200000',
    'Maximum number of parked events of an account; half of this for one product in a cluster. Further events are '
      + 'refused.',
  ),
  'bus.shares.parkedBytes': defaulted(
    integer(1_000, 2 ** 50), '2147483648',
    'Maximum number of bytes of parked events of an account; otherwise as `bus.shares.parkedEvents`.',
  ),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
