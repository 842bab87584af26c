import { Button, Card, Code, Group, Stack, Table } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { platform } from '../api/client.ts';
import { done, useChange } from '../ui/act.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Read } from '../ui/read.tsx';
import type { Place } from './place.ts';

/** Namespaces of the hub that are bound to cluster sets. */
export function Namespaces({ place }: { place: Place }) {
  const [isNew, setNew] = useState(false);
  const unbind = useChange(
    (body: { clusterSet: string; namespace: string }) => platform.call('unbindNamespace', { parameters: place, body }),
    () => done('The namespace is unbound'),
  );
  const sets = useQuery({
    queryKey: ['available sets', place],
    queryFn: () => platform.call('listClusterSets', { parameters: place }),
    enabled: isNew,
  });
  return (
    <Stack>
      <Group>
        <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => setNew(true)}>
          Bind a namespace
        </Button>
      </Group>
      {unbind.error && <Failure error={unbind.error} />}
      <Read
        what="The namespaces"
        queryKey={['bound namespaces', place]}
        load={() => platform.call('listBoundNamespaces', { parameters: place })}
      >
        {(answer) => {
          const bound = Object.entries(answer).flatMap(([namespace, names]) =>
            names.map((clusterSet) => [namespace, clusterSet] as const),
          );
          return bound.length === 0 ? (
            <Card withBorder>
              <Empty title="No namespaces are bound">
                A bound namespace of the hub may place work on the clusters of a set.
              </Empty>
            </Card>
          ) : (
            <Card withBorder p={0}>
              <Table>
                <Table.Tbody>
                  {bound.map(([namespace, clusterSet]) => (
                    <Table.Tr key={`${namespace} ${clusterSet}`}>
                      <Table.Td>
                        <Code>{namespace}</Code>
                      </Table.Td>
                      <Table.Td>{clusterSet}</Table.Td>
                      <Table.Td ta="right">
                        <Button
                          size="compact-xs"
                          variant="subtle"
                          color="red"
                          aria-label={`Unbind ${namespace} from ${clusterSet}`}
                          onClick={() => unbind.mutate({ namespace, clusterSet })}
                        >
                          Unbind
                        </Button>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Card>
          );
        }}
      </Read>
      {isNew && (
        <FormDialog
          title="Bind a namespace"
          verb="Bind"
          onClose={() => setNew(false)}
          said="The namespace is bound"
          fields={[
            { name: 'namespace', label: 'Namespace of the hub', required: true },
            {
              name: 'clusterSet',
              label: 'Cluster set',
              kind: 'select',
              required: true,
              options: sets.data?.map(({ clusterSetName }) => ({ value: clusterSetName, label: clusterSetName })) ?? [],
              error: sets.error,
            },
          ]}
          act={({ namespace, clusterSet }) =>
            platform.call('bindNamespace', {
              parameters: place,
              body: { namespace: String(namespace), clusterSet: String(clusterSet) },
            })
          }
        />
      )}
    </Stack>
  );
}
