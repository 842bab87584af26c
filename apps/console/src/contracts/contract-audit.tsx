import { Text, Timeline } from '@mantine/core';
import type { AuditEvent } from '@platform/client';
import { platform } from '../api/client.ts';
import { Empty } from '../ui/empty.tsx';
import { Moment } from '../ui/moment.tsx';
import { Read } from '../ui/read.tsx';
import { Short } from '../ui/short.tsx';
import { operations, type ShownProps } from './operations.ts';

/** What happened to a contract, as a timeline. */
export function Audit({ isSite, parameters }: Pick<ShownProps, 'isSite' | 'parameters'>) {
  return (
    <Read
      what="The audit"
      queryKey={['contract audit', isSite, parameters]}
      load={() => platform.call(operations(isSite).audit, { parameters }) as Promise<readonly AuditEvent[]>}
    >
      {(events) => events.length === 0 ? <Empty title="Nothing happened yet" /> : (
        <Timeline bulletSize={14} lineWidth={2} active={events.length}>
          {events.map(({ id, event, addedBy, createdUnix }) => (
            <Timeline.Item key={id} title={<Short width={560}>{event}</Short>}>
              <Text size="sm" c="dimmed">{addedBy}, <Moment at={createdUnix} /></Text>
            </Timeline.Item>
          ))}
        </Timeline>
      )}
    </Read>
  );
}
