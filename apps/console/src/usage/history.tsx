import { Modal, Table } from '@mantine/core';
import { platform } from '../api/client.ts';
import { Empty } from '../ui/empty.tsx';
import { Moment } from '../ui/moment.tsx';
import { Read } from '../ui/read.tsx';
import { Short } from '../ui/short.tsx';
import { Wide } from '../ui/wide.tsx';

/** The amounts of an object over a month: one row for each period, with the event that began the period. */
export function History({ org, month, object, onClose }: {
  org: string;
  /** Such as `2026-11`. */
  month: string;
  object: Record<string, unknown>;
  onClose: () => void;
}) {
  const [year, number] = month.split('-');
  const parameters = {
    org, year: year!, month: number!,
    clusterUID: String(object['clusterUID']), objectID: String(object['objectID']),
  };
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={<Short width={500}>{String(object['name'])}</Short>}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Read
        what="The history"
        queryKey={['history', parameters]}
        load={() => platform.call('getMonthQuotaHistory', { parameters })}
      >
        {({ history }) => history.length === 0 ? <Empty title="No history is kept" /> : (
          <Wide of="The history">
            <Table>
              <Table.Thead>
                <Table.Tr>
                  {['From', 'Until', 'CPU, cores', 'Memory, GiB', 'Replicas', 'Mode', 'Event'].map((title) => (
                    <Table.Th key={title} scope="col">{title}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {history.map(({ from, to, cpu, memory, replicas, mode, event }) => (
                  <Table.Tr key={from}>
                    <Table.Td><Moment at={from} /></Table.Td>
                    <Table.Td><Moment at={to} absent="Now" /></Table.Td>
                    <Table.Td>{cpu}</Table.Td>
                    <Table.Td>{memory}</Table.Td>
                    <Table.Td>{replicas}</Table.Td>
                    <Table.Td>{mode}</Table.Td>
                    <Table.Td>{event}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Wide>
        )}
      </Read>
    </Modal>
  );
}
