import { Table, Text } from '@mantine/core';
import type { DetailedSyncStatus } from '@platform/client';
import { IconCheck, IconX } from '@tabler/icons-react';
import { platform } from '../api/client.ts';
import { hint } from '../ui/hints.tsx';
import { Read } from '../ui/read.tsx';
import { Short } from '../ui/short.tsx';
import { Wide } from '../ui/wide.tsx';
import type { SetPlace } from './place.ts';

/** The sync status as a table: one row for each feature, one column for each cluster. */
export function SyncStatus({ parameters }: { parameters: SetPlace }) {
  return (
    <Read
      what="The sync status"
      queryKey={['sync', parameters]}
      every={10_000}
      load={() => platform.call('getSyncStatusOfAllFeatures', { parameters })}
    >
      {(answer) => {
        const rows = Object.values(answer).flatMap((features) => Object.entries(features));
        const clusters = [...new Set(
          rows.flatMap(([, one]) => [...one.insyncClusters, ...one.outOfSyncClusters, ...one.unalignedClusters]),
        )].sort();
        if (clusters.length === 0) return null;
        return (
          <Wide of="The sync status">
            <Table className="matrix" verticalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">Feature</Table.Th>
                  {clusters.map((one) => (
                    <Table.Th key={one} scope="col" ta="center"><Short width={120}>{one}</Short></Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map(([feature, one]) => (
                  <Table.Tr key={feature}>
                    <Table.Th scope="row" fw={400}>{feature}</Table.Th>
                    {clusters.map((id) => <Table.Td key={id} ta="center"><Mark of={one} cluster={id} /></Table.Td>)}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Wide>
        );
      }}
    </Read>
  );
}

function Mark({ of, cluster }: { of: DetailedSyncStatus; cluster: string }) {
  const words = of.insyncClusters.includes(cluster) ? 'In sync'
    : of.outOfSyncClusters.includes(cluster) ? 'Out of sync' : undefined;
  if (words === undefined) return <Text span size="sm" c="dimmed">–</Text>;
  const [Icon, color] = words === 'In sync' ? [IconCheck, 'green'] : [IconX, 'red'];
  return <Icon size={16} color={`var(--mantine-color-${color}-7)`} role="img" aria-label={words} {...hint(words)} />;
}
