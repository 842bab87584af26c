import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import type { ClustersResp } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { csvOf, platform } from '../api/client.ts';
import { Confirm, done, useChange } from '../ui/act.tsx';
import { shortColumn } from '../ui/columns.tsx';
import { DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Features } from './features.tsx';
import type { Place } from './place.ts';

/** One cluster set: its clusters and its features. */
export function SetCard({ place, name }: { place: Place; name: string }) {
  const parameters = { ...place, clusterset: name };
  const [asked, ask] = useState<'add' | { remove: ClustersResp }>();
  const free = useQuery({
    queryKey: ['clusters to add', parameters],
    queryFn: () => platform.call('listClustersToAdd', { parameters }),
    enabled: asked === 'add',
  });
  const update = useChange(() => platform.call('startAutoUpdate', { parameters }), () => done('The update has begun'));
  const check = useQuery({
    queryKey: ['auto update', parameters],
    queryFn: () => platform.call('checkAutoUpdate', { parameters }),
    refetchInterval: 10_000,
  });
  return (
    <Card withBorder>
      <Stack>
        <Group justify="space-between">
          <Title order={2} fz={18}>{name}</Title>
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              disabled={check.data?.possible !== true}
              loading={update.isPending}
              onClick={() => update.mutate(undefined)}
            >
              Update all features
            </Button>
            <Button size="xs" onClick={() => ask('add')}>Add clusters</Button>
          </Group>
        </Group>
        {update.error && <Failure error={update.error} />}
        {check.data?.possible === false && (
          <Text size="sm" c="dimmed">The features can be updated once all clusters have the version of the set.</Text>
        )}
        {check.error && <Failure error={check.error} what="The check for an update" />}
        <DataList<ClustersResp>
          what="managed clusters"
          queryKey={['clusters of set', parameters]}
          csv={csvOf('listClustersOfSet', parameters)}
          keyOf={({ name: id }) => id}
          load={(page) => platform.list('listClustersOfSet', { parameters: { ...parameters, ...page } })}
          columns={[
            shortColumn('Cluster', ({ displayName, name: id }) => displayName || id),
            { title: 'Provider', value: ({ provider }) => provider, minor: true },
            { title: 'Kubernetes', value: ({ kubernetesVersion }) => kubernetesVersion, minor: true },
            { title: 'Nodes', value: ({ clusterNode }) => clusterNode, numeric: true },
          ]}
          actions={(remove) => [{ title: 'Take out of the set', color: 'red', act: () => ask({ remove }) }]}
          empty={<Empty title="No clusters in this set">Add some.</Empty>}
        />
        <Title order={3} fz={16}>Features</Title>
        <Features parameters={parameters} />
      </Stack>
      {asked === 'add' && (
        <FormDialog
          title="Add clusters"
          of={name}
          verb="Add"
          onClose={() => ask(undefined)}
          said="The clusters are in the set"
          fields={[
            {
              name: 'clusters', label: 'Clusters', kind: 'many', required: true, options: [...(free.data ?? [])],
              error: free.error,
            },
          ]}
          act={({ clusters }) => platform.call('addClusters', {
            parameters: place,
            body: { clusterSet: name, clusters: clusters as string[] },
          })}
        />
      )}
      {typeof asked === 'object' && (
        <Confirm
          title="Take the cluster out of the set"
          verb="Take out"
          onClose={() => ask(undefined)}
          act={() => platform.call('removeClusters', {
            parameters: place,
            body: { clusterSet: name, clusters: [asked.remove.name] },
          })}
        >
          {asked.remove.name} loses the features that the set gives.
        </Confirm>
      )}
    </Card>
  );
}
