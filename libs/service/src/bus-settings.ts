import { defaulted, type Setting } from './setting.ts';
import { duration, integer } from './setting-kinds.ts';

/** Settings of the events that clusters send over the bus. */
export const busSettings = {
  'usage.lateChanges': defaulted(
    duration(600_000, 35 * 86_400_000), '48h',
    'How late an event about a deleted or smaller object may arrive and still reduce usage that is already counted.',
  ),
  'bus.shards': defaulted(integer(1, 1_024), '1', 'Number of shards in event subjects.'),
  'bus.shares.eventsPerSecond': defaulted(
    integer(1, 1_000_000), '200',
    'Maximum average number of events of an account per second. A burst may have as many events as this limit permits '
      + 'in one minute. One product in a cluster may send half of this. Each replica of billing-dashboard counts '
      + 'separately.',
  ),
  'bus.shares.bytesPerSecond': defaulted(
    integer(1_000, 2 ** 40), '20000000',
    'Maximum average number of bytes of events of an account per second. A burst may have as many bytes as this limit '
      + 'permits in one minute. One product in a cluster may send half of this. Each replica of billing-dashboard '
      + 'counts separately.',
  ),
  'bus.shares.waitingBytes': defaulted(
    integer(1_000, 2 ** 50), '2147483648',
    'Maximum number of bytes of events of an account that wait on the bus until the platform reads them; half of this '
      + 'for one product in a cluster. Each replica of billing-dashboard counts separately.',
  ),
  'bus.shares.keptEvents': defaulted(
    integer(2, 2 ** 50), '20000000',
    'Maximum number of raw events of an account in PostgreSQL; half of this for one product in a cluster. Further '
      + 'events are refused.',
  ),
  'bus.shares.keptBytes': defaulted(
    integer(1_000, 2 ** 50), '53687091200',
    'Maximum number of bytes of raw events of an account in PostgreSQL; half of this for one product in a cluster. '
      + 'Further events are refused.',
  ),
  'bus.shares.parkedEvents': defaulted(
    integer(2, 2 ** 50), '200000',
    'Maximum number of parked events of an account; half of this for one product in a cluster. Further events are '
      + 'refused.',
  ),
  'bus.shares.parkedBytes': defaulted(
    integer(1_000, 2 ** 50), '2147483648',
    'Maximum number of bytes of parked events of an account; half of this for one product in a cluster. Further events '
      + 'are refused.',
  ),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
