import { Button, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { platform } from '../api/client.ts';
import { done, useChange } from '../ui/act.tsx';
import { shortColumn } from '../ui/columns.tsx';
import { type Column, DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import type { Place } from './place.ts';

interface Bound {
  readonly namespace: string;
  readonly clusterSet: string;
}

const columns: Column<Bound>[] = [
  shortColumn('Namespace of the hub', ({ namespace }) => namespace, { mono: true }),
  shortColumn('Cluster set', ({ clusterSet }) => clusterSet),
];

/** Namespaces of the hub that are bound to cluster sets. */
export function Namespaces({ place }: { place: Place }) {
  const [isNew, setNew] = useState(false);
  const unbind = useChange(
    (body: Bound) => platform.call('unbindNamespace', { parameters: place, body }),
    () => done('The namespace is unbound'),
  );
  const sets = useQuery({
    queryKey: ['available sets', place],
    queryFn: () => platform.call('listClusterSets', { parameters: place }),
    enabled: isNew,
  });
  const bind = (
    <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => setNew(true)}>Bind a namespace</Button>
  );
  return (
    <Stack>
      {unbind.error && <Failure error={unbind.error} />}
      <DataList<Bound>
        what="namespaces"
        queryKey={['bound namespaces', place]}
        keyOf={({ namespace, clusterSet }) => `${namespace} ${clusterSet}`}
        load={async () => {
          const answer = await platform.call('listBoundNamespaces', { parameters: place });
          const items = Object.entries(answer).flatMap(([namespace, sets]) =>
            sets.map((clusterSet) => ({ namespace, clusterSet })));
          return { items, total: items.length };
        }}
        columns={columns}
        toolbar={bind}
        actions={(one) => [{ title: 'Unbind', color: 'red', act: () => unbind.mutate(one) }]}
        empty={
          <Empty title="No namespaces are bound" action={bind}>
            A bound namespace of the hub may place work on the clusters of a set.
          </Empty>
        }
      />
      {isNew && (
        <FormDialog
          title="Bind a namespace"
          verb="Bind"
          onClose={() => setNew(false)}
          said="The namespace is bound"
          fields={[
            { name: 'namespace', label: 'Namespace of the hub', required: true },
            {
              name: 'clusterSet', label: 'Cluster set', kind: 'select', required: true,
              options: sets.data?.map(({ clusterSetName }) => ({ value: clusterSetName, label: clusterSetName })) ?? [],
              error: sets.error,
            },
          ]}
          act={({ namespace, clusterSet }) => platform.call('bindNamespace', {
            parameters: place,
            body: { namespace: String(namespace), clusterSet: String(clusterSet) },
          })}
        />
      )}
    </Stack>
  );
}
