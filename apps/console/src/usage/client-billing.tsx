import { Modal, Stack, Table, Text, Title } from '@mantine/core';
import type { NamespaceReport } from '@platform/client';
import { useState } from 'react';
import { platform } from '../api/client.ts';
import { useOrg } from '../api/acting.ts';
import { momentColumn, shortColumn } from '../ui/columns.tsx';
import { type Column, DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Moment } from '../ui/moment.tsx';
import { Page } from '../ui/page.tsx';
import { Read } from '../ui/read.tsx';
import { Short } from '../ui/short.tsx';
import { Wide } from '../ui/wide.tsx';

const clusterOf = ({ clusterInfo: { displayName, name, uid } }: NamespaceReport) => displayName || name || uid;

const columns: Column<NamespaceReport>[] = [
  shortColumn('Namespace', ({ namespaceInfo }) => namespaceInfo.name),
  shortColumn('Cluster', clusterOf, { width: 200 }),
  shortColumn('Client', ({ namespaceInfo }) => namespaceInfo.clientOrgName, { absent: '–', width: 200, minor: true }),
  { title: 'Databases', value: ({ databases }) => databases.length, numeric: true },
  momentColumn('Since', ({ namespaceInfo }) => namespaceInfo.creationTimestamp, { minor: true }),
];

/** Namespaces and their databases, for organizations that bill their own clients. */
export function ClientBilling() {
  const org = useOrg()!;
  const [shown, show] = useState<NamespaceReport>();
  return (
    <Page
      title="Client billing"
      about="The namespaces and databases on clusters whose contracts enable client billing."
    >
      <DataList<NamespaceReport>
        what="namespaces"
        queryKey={['namespace reports', org]}
        keyOf={({ clusterInfo, namespaceInfo }) => `${clusterInfo.uid} ${namespaceInfo.uid}`}
        load={async () => {
          const { namespaces } = await platform.call('listNamespaceReports', { parameters: { org } });
          return { items: [...namespaces], total: namespaces.length };
        }}
        columns={columns}
        onOpen={show}
        empty={
          <Empty title="No namespaces to bill">
            A contract must enable client billing, and its clusters must report use.
          </Empty>
        }
      />
      {shown && <Databases org={org} of={shown} onClose={() => show(undefined)} />}
    </Page>
  );
}

function Databases({ org, of, onClose }: { org: string; of: NamespaceReport; onClose: () => void }) {
  const { clusterInfo, namespaceInfo } = of;
  const parameters = { org, clusterID: clusterInfo.uid, namespaceName: namespaceInfo.name };
  return (
    <Modal opened onClose={onClose} size="xl" title={namespaceInfo.name} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Read
        what="The report"
        queryKey={['namespace report', parameters]}
        load={() => platform.call('getNamespaceReport', { parameters })}
      >
        {({ databases }) => databases.length === 0 ? <Empty title="No databases in it" /> : (
          <Stack>
            {databases.map(({ databaseInfo, podDetails, volumeDetails }) => (
              <Stack key={databaseInfo.uid} gap={4}>
                <Title order={2} fz={16}>{databaseInfo.kind} <Short>{databaseInfo.name}</Short></Title>
                <Text size="sm" c="dimmed">
                  From <Moment at={databaseInfo.createdAt} /> until{' '}
                  <Moment at={databaseInfo.deletedAt} absent="now" />
                </Text>
                <Wide of="The bill">
                  <Table>
                    <Table.Tbody>
                      {podDetails.map(({ flavor, count, createdAt }) => (
                        <Table.Tr key={`${flavor.cpu} ${flavor.memory} ${createdAt}`}>
                          <Table.Td>{count} × {flavor.cpu} cores, {flavor.memory}</Table.Td>
                          <Table.Td><Moment at={createdAt} /></Table.Td>
                        </Table.Tr>
                      ))}
                      {volumeDetails.map(({ name, initialSize, expansions }) => (
                        <Table.Tr key={name}>
                          <Table.Td>Volume <Short width={200}>{name}</Short></Table.Td>
                          <Table.Td>{[initialSize, ...expansions.map(({ size }) => size)].join(' → ')}</Table.Td>
                        </Table.Tr>
                      ))}
                    </Table.Tbody>
                  </Table>
                </Wide>
              </Stack>
            ))}
          </Stack>
        )}
      </Read>
    </Modal>
  );
}
