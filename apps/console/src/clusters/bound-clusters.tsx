import { Stack, Text } from '@mantine/core';
import type { AssociatedCluster } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useActing } from '../api/acting.ts';
import { csvOf, platform } from '../api/client.ts';
import { shortColumn } from '../ui/columns.tsx';
import { type Column, DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Short } from '../ui/short.tsx';

/** A cluster that is bound to contracts, and whether it is imported. */
type Shown = AssociatedCluster & { readonly isImported?: boolean };

const columns: Column<Shown>[] = [
  shortColumn('Cluster', ({ displayName, cluster }) => displayName || cluster),
  shortColumn('UUID', ({ cluster }) => cluster, { mono: true, minor: true }),
  { title: 'Contracts', value: ({ associatedContractIDs }) => associatedContractIDs.length, numeric: true },
  { title: 'Imported', value: ({ isImported }) => (isImported === undefined ? '–' : isImported ? 'Yes' : 'No') },
  {
    title: 'Tags', value: ({ tags }) => tags.join(', '),
    shown: ({ tags }) => <Text size="sm">{tags.join(', ') || '–'}</Text>, minor: true,
  },
];

/** The clusters that are bound to active contracts of an organization. A dialog assigns them to further contracts. */
export function BoundClusters() {
  const { org, may } = useActing();
  const [assigned, assign] = useState<Shown>();
  return (
    <>
      <DataList<Shown>
        what="clusters"
        queryKey={['associated clusters', org]}
        csv={csvOf('listAssociatedClusters', { org })}
        keyOf={({ cluster }) => cluster}
        load={async (page) => {
          const { items, total } = await platform.list('listAssociatedClusters', { parameters: { org, ...page } });
          return { items: await withState(org, items), total };
        }}
        columns={columns}
        actions={(one) => [
          may('can_add_contract_clusters') && { title: 'Assign to contracts', act: () => assign(one) },
        ]}
        empty={<Empty title="No clusters are bound">Open a contract to bind clusters.</Empty>}
      />
      {assigned && <Assign org={org} cluster={assigned} onClose={() => assign(undefined)} />}
    </>
  );
}

/** Adds to each cluster whether it is imported. Asks for at most 1,000 clusters, in one call. */
async function withState(org: string, clusters: readonly AssociatedCluster[]): Promise<readonly Shown[]> {
  if (clusters.length === 0) return clusters;
  const states = await platform.call('listUserClusterStatuses', {
    parameters: { org },
    body: { clusters: clusters.map(({ cluster }) => cluster).slice(0, 1_000) },
  });
  const imported = new Map(states.map(({ cluster, clusterStatus }) => [cluster, clusterStatus?.isImported]));
  return clusters.map((one) => ({ ...one, isImported: imported.get(one.cluster) }));
}

function Assign({ org, cluster, onClose }: { org: string; cluster: Shown; onClose: () => void }) {
  const parameters = { org, clusterID: cluster.cluster };
  const { data, error } = useQuery({
    queryKey: ['contracts for cluster', parameters],
    queryFn: async () => ({
      bound: await platform.call('listContractsOfCluster', { parameters }),
      others: await platform.call('listOtherContracts', { parameters }),
    }),
  });
  const names = data?.bound.map(({ name }) => name).join(', ');
  return (
    <FormDialog
      title="Assign to contracts"
      verb="Assign"
      onClose={onClose}
      said="The cluster is assigned"
      about={
        <Stack gap="xs">
          {error && <Failure error={error} what="The contracts" />}
          {names !== undefined && <Short width={520}>{names === '' ? 'Bound to no contract.' : `Bound to ${names}.`}</Short>}
        </Stack>
      }
      fields={[
        {
          name: 'contractIds', label: 'Further contracts', kind: 'many', required: true,
          options:
            data?.others.map(({ id, name, product }) => ({ value: String(id), label: `${name} (${product})` })) ?? [],
        },
        { name: 'displayName', label: 'Name of the cluster in the chosen contracts' },
      ]}
      of={cluster.cluster}
      initial={{ displayName: cluster.displayName }}
      act={({ contractIds, displayName }) => platform.call('assignCluster', {
        parameters: { org },
        body: {
          clusterId: cluster.cluster,
          contractIds: (contractIds as string[]).map(Number),
          ...(displayName !== '' && { displayName: String(displayName) }),
        },
      })}
    />
  );
}
