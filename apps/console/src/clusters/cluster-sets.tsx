import { Button } from '@mantine/core';
import type { ListClusterSetResp } from '@platform/client';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { csvOf, platform } from '../api/client.ts';
import { Confirm } from '../ui/act.tsx';
import { shortColumn } from '../ui/columns.tsx';
import { DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import type { Place } from './place.ts';

interface SetsProps {
  place: Place;
  choose: (name: string) => void;
  /** Clears the selection. Called before a set is deleted. */
  forget: () => void;
}

/** The cluster sets of a hub. */
export function Sets({ place, choose, forget }: SetsProps) {
  const [asked, ask] = useState<'new' | { set: ListClusterSetResp }>();
  const free = useQuery({
    queryKey: ['available clusters', place],
    queryFn: () => platform.call('listAvailableClusters', { parameters: place }),
    enabled: asked === 'new',
  });
  const create = (
    <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => ask('new')}>New cluster set</Button>
  );
  return (
    <>
      <DataList<ListClusterSetResp>
        what="cluster sets"
        queryKey={['cluster sets', place]}
        keyOf={({ clusterSetName }) => clusterSetName}
        toolbar={create}
        csv={csvOf('listClusterSets', place)}
        load={(page) => platform.list('listClusterSets', { parameters: { ...place, ...page } })}
        columns={[
          shortColumn('Cluster set', ({ clusterSetTitle, clusterSetName }) => clusterSetTitle || clusterSetName),
          { title: 'Name', value: ({ clusterSetName }) => clusterSetName, minor: true },
          { title: 'Clusters', value: ({ clusters }) => clusters, numeric: true },
        ]}
        onOpen={({ clusterSetName }) => choose(clusterSetName)}
        actions={(set) => [{ title: 'Delete', color: 'red', act: () => ask({ set }) }]}
        empty={
          <Empty title="No cluster sets" action={create}>A set holds the clusters that get the same features.</Empty>
        }
      />
      {asked === 'new' && (
        <FormDialog
          title="New cluster set"
          verb="Create"
          onClose={() => ask(undefined)}
          said="The cluster set is created"
          fields={[
            { name: 'clusterSet', label: 'Name', required: true },
            {
              name: 'clusters', label: 'Clusters', kind: 'many',
              options: free.data?.map(({ name }) => ({ value: name, label: name })) ?? [], error: free.error,
            },
          ]}
          act={({ clusterSet, clusters }) => platform.call('createClusterSet', {
            parameters: place,
            body: { clusterSet: String(clusterSet), clusters: clusters as string[] },
          })}
        />
      )}
      {typeof asked === 'object' && (
        <Confirm
          title={`Delete the set ${asked.set.clusterSetName}`}
          verb="Delete"
          onClose={() => ask(undefined)}
          said="The cluster set is deleted"
          act={async () => {
            // Clear the selection first, so that the set is not read again while it is being deleted.
            forget();
            await platform.call('deleteClusterSet', {
              parameters: place, body: { clusterSet: asked.set.clusterSetName },
            });
          }}
        >
          The clusters of the set are not deleted.
        </Confirm>
      )}
    </>
  );
}
