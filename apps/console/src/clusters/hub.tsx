import { Accordion, Badge, Button, Card, Code, Group, Stack, Table, Tabs, Text, Title } from '@mantine/core';
import type { ClustersResp, FeatureSetInfo, ListClusterSetResp } from '@platform/client';
import { IconCheck, IconPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { platform } from '../api/client.ts';
import { useOrg } from '../shell/acting.ts';
import { Confirm, done, useChange } from '../ui/act.tsx';
import { DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Read } from '../ui/read.tsx';
import { Short } from '../ui/short.tsx';

interface Place {
  owner: string;
  cluster: string;
}

/** A hub: its cluster sets with their features, and the namespaces that are bound to them. */
export function Hub() {
  const place = useParams({ strict: false }) as Place;
  const { owner, cluster } = place;
  const org = useOrg()!;
  const [chosen, choose] = useState<string>();
  return (
    <Page title={cluster} about={`Hub of ${owner}`} above={[{ title: 'Clusters', to: `/orgs/${org}/clusters` }]}>
      <Tabs defaultValue="sets" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="sets">Cluster sets</Tabs.Tab>
          <Tabs.Tab value="namespaces">Namespaces</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="sets">
          <Stack>
            <Sets place={{ owner, cluster }} choose={choose} />
            {chosen !== undefined && <SetCard key={chosen} place={{ owner, cluster }} name={chosen} />}
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="namespaces">
          <Namespaces place={{ owner, cluster }} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Sets({ place, choose }: { place: Place; choose: (name: string) => void }) {
  const [asked, ask] = useState<'new' | { set: ListClusterSetResp }>();
  const free = useQuery({
    queryKey: ['available clusters', place],
    queryFn: () => platform.call('listAvailableClusters', { parameters: place }),
    enabled: asked === 'new',
  });
  const create = (
    <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => ask('new')}>
      New cluster set
    </Button>
  );
  return (
    <>
      <DataList<ListClusterSetResp>
        what="cluster sets"
        queryKey={['cluster sets', place]}
        keyOf={({ clusterSetName }) => clusterSetName}
        toolbar={create}
        load={(page) => platform.list('listClusterSets', { parameters: { ...place, ...page } })}
        columns={[
          {
            title: 'Cluster set',
            value: ({ clusterSetTitle, clusterSetName }) => clusterSetTitle || clusterSetName,
            shown: ({ clusterSetTitle, clusterSetName }) => <Short>{clusterSetTitle || clusterSetName}</Short>,
          },
          { title: 'Name', value: ({ clusterSetName }) => clusterSetName, minor: true },
          { title: 'Clusters', value: ({ clusters }) => clusters, numeric: true },
        ]}
        onOpen={({ clusterSetName }) => choose(clusterSetName)}
        actions={(set) => [{ title: 'Delete', color: 'red', act: () => ask({ set }) }]}
        empty={
          <Empty title="No cluster sets" action={create}>
            A set holds the clusters that get the same features.
          </Empty>
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
              name: 'clusters',
              label: 'Clusters',
              kind: 'many',
              options: free.data?.map(({ name }) => ({ value: name, label: name })) ?? [],
            },
          ]}
          act={({ clusterSet, clusters }) =>
            platform.call('createClusterSet', {
              parameters: place,
              body: { clusterSet: String(clusterSet), clusters: clusters as string[] },
            })
          }
        />
      )}
      {typeof asked === 'object' && (
        <Confirm
          title={`Delete the set ${asked.set.clusterSetName}`}
          verb="Delete"
          onClose={() => ask(undefined)}
          said="The cluster set is deleted"
          act={() =>
            platform.call('deleteClusterSet', { parameters: place, body: { clusterSet: asked.set.clusterSetName } })
          }
        >
          Its clusters stay.
        </Confirm>
      )}
    </>
  );
}

function SetCard({ place, name }: { place: Place; name: string }) {
  const parameters = { ...place, clusterset: name };
  const [asked, ask] = useState<'add' | { remove: ClustersResp }>();
  const free = useQuery({
    queryKey: ['clusters to add', parameters],
    queryFn: () => platform.call('listClustersToAdd', { parameters }),
    enabled: asked === 'add',
  });
  const update = useChange(
    () => platform.call('startAutoUpdate', { parameters }),
    () => done('The update has begun'),
  );
  const check = useQuery({
    queryKey: ['auto update', parameters],
    queryFn: () => platform.call('checkAutoUpdate', { parameters }),
  });
  return (
    <Card withBorder>
      <Stack>
        <Group justify="space-between">
          <Title order={2} fz={18}>
            {name}
          </Title>
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
            <Button size="xs" onClick={() => ask('add')}>
              Add clusters
            </Button>
          </Group>
        </Group>
        {update.error && <Failure error={update.error} />}
        <DataList<ClustersResp>
          what="managed clusters"
          queryKey={['clusters of set', parameters]}
          keyOf={({ name: id }) => id}
          load={(page) => platform.list('listClustersOfSet', { parameters: { ...parameters, ...page } })}
          columns={[
            {
              title: 'Cluster',
              value: ({ displayName, name: id }) => displayName || id,
              shown: ({ displayName, name: id }) => <Short>{displayName || id}</Short>,
            },
            { title: 'Provider', value: ({ provider }) => provider, minor: true },
            { title: 'Kubernetes', value: ({ kubernetesVersion }) => kubernetesVersion, minor: true },
            { title: 'Nodes', value: ({ clusterNode }) => clusterNode, numeric: true },
          ]}
          actions={(remove) => [{ title: 'Take out of the set', color: 'red', act: () => ask({ remove }) }]}
          empty={<Empty title="No clusters in this set">Add some.</Empty>}
        />
        <Title order={3} fz={16}>
          Features
        </Title>
        <Features parameters={parameters} />
      </Stack>
      {asked === 'add' && (
        <FormDialog
          title="Add clusters"
          verb="Add"
          onClose={() => ask(undefined)}
          said="The clusters are in the set"
          fields={[
            { name: 'clusters', label: 'Clusters', kind: 'many', required: true, options: [...(free.data ?? [])] },
          ]}
          act={({ clusters }) =>
            platform.call('addClusters', {
              parameters: place,
              body: { clusterSet: name, clusters: clusters as string[] },
            })
          }
        />
      )}
      {typeof asked === 'object' && (
        <Confirm
          title="Take the cluster out of the set"
          verb="Take out"
          onClose={() => ask(undefined)}
          act={() =>
            platform.call('removeClusters', {
              parameters: place,
              body: { clusterSet: name, clusters: [asked.remove.name] },
            })
          }
        >
          {asked.remove.name} loses the features that the set gives.
        </Confirm>
      )}
    </Card>
  );
}

function Features({ parameters }: { parameters: Place & { clusterset: string } }) {
  const { clusterset, ...place } = parameters;
  const [install, setInstall] = useState<FeatureSetInfo>();
  const [disable, setDisable] = useState<FeatureSetInfo>();
  return (
    <Read
      what="The feature sets"
      queryKey={['feature sets', parameters]}
      load={() => platform.call('listFeatureSets', { parameters })}
    >
      {(sets) =>
        sets.length === 0 ? (
          <Empty title="The hub offers no feature sets" />
        ) : (
          <>
            <SyncStatus parameters={parameters} />
            <Accordion variant="separated">
              {sets.map((set) => (
                <Accordion.Item key={set.name} value={set.name}>
                  <Accordion.Control>
                    <Group gap="xs">
                      <Text fw={600}>{set.title || set.name}</Text>
                      {set.installed && (
                        <Badge variant="light" color="green" tt="none">
                          Installed
                        </Badge>
                      )}
                      {set.recommended && (
                        <Badge variant="light" color="gray" tt="none">
                          Recommended
                        </Badge>
                      )}
                    </Group>
                  </Accordion.Control>
                  <Accordion.Panel>
                    <Stack align="flex-start">
                      <Text size="sm">{set.description}</Text>
                      <Group gap={6}>
                        {set.features.map((feature) => (
                          <Badge key={feature.name} variant={feature.installed ? 'filled' : 'default'} tt="none">
                            {feature.title || feature.name}
                          </Badge>
                        ))}
                      </Group>
                      <Group>
                        <Button size="xs" onClick={() => setInstall(set)}>
                          {set.installed ? 'Change' : 'Install'}
                        </Button>
                        {set.installed && (
                          <Button size="xs" variant="light" color="red" onClick={() => setDisable(set)}>
                            Disable
                          </Button>
                        )}
                      </Group>
                    </Stack>
                  </Accordion.Panel>
                </Accordion.Item>
              ))}
            </Accordion>
            {install && (
              <FormDialog
                title={`Install ${install.title || install.name}`}
                verb="Install"
                onClose={() => setInstall(undefined)}
                said="The features are being installed"
                initial={{
                  features: install.features
                    .filter(({ installed, name }) => installed || install.requiredFeatures.includes(name))
                    .map(({ name }) => name),
                }}
                fields={[
                  {
                    name: 'features',
                    label: 'Features',
                    kind: 'many',
                    required: true,
                    options: install.features.map(({ name, title }) => ({ value: name, label: title || name })),
                    about:
                      install.requiredFeatures.length > 0
                        ? `Needed: ${install.requiredFeatures.join(', ')}`
                        : undefined,
                  },
                  {
                    name: 'values',
                    label: 'Values',
                    kind: 'json',
                    about: 'Helm values by feature, as JSON. Empty: those of the chart.',
                  },
                ]}
                act={({ features, values }) =>
                  platform.call('installFeatureSet', {
                    parameters,
                    body: {
                      featureSet: install.name,
                      features: features as string[],
                      ...(values !== '' && { values: JSON.parse(String(values)) as object }),
                    },
                  })
                }
              />
            )}
            {disable && (
              <Confirm
                title={`Disable ${disable.title || disable.name}`}
                verb="Disable"
                onClose={() => setDisable(undefined)}
                said="The features are being removed"
                act={() =>
                  platform.call('disableFeatureSet', {
                    parameters: { ...place, clusterset },
                    body: {
                      clusterSet: clusterset,
                      featureSet: disable.name,
                      features: disable.features.filter(({ installed }) => installed).map(({ name }) => name),
                    },
                  })
                }
              >
                They are removed from all clusters of the set.
              </Confirm>
            )}
          </>
        )
      }
    </Read>
  );
}

/** Features × clusters. */
function SyncStatus({ parameters }: { parameters: Place & { clusterset: string } }) {
  return (
    <Read
      what="The sync status"
      queryKey={['sync', parameters]}
      every={10_000}
      load={() => platform.call('getSyncStatusOfAllFeatures', { parameters })}
    >
      {(answer) => {
        const rows = Object.values(answer).flatMap((features) => Object.entries(features));
        const clusters = [
          ...new Set(
            rows.flatMap(([, one]) => [...one.insyncClusters, ...one.outOfSyncClusters, ...one.unalignedClusters]),
          ),
        ].sort();
        if (clusters.length === 0) return null;
        return (
          <div className="rows">
            <Table className="matrix" verticalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">Feature</Table.Th>
                  {clusters.map((one) => (
                    <Table.Th key={one} scope="col" ta="center">
                      <Short width={120}>{one}</Short>
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map(([feature, one]) => (
                  <Table.Tr key={feature}>
                    <Table.Th scope="row" fw={400}>
                      {feature}
                    </Table.Th>
                    {clusters.map((id) => (
                      <Table.Td key={id} ta="center">
                        {one.insyncClusters.includes(id) ? (
                          <IconCheck size={16} color="var(--mantine-color-green-7)" aria-label="In sync" />
                        ) : one.outOfSyncClusters.includes(id) ? (
                          <IconX size={16} color="var(--mantine-color-red-7)" aria-label="Out of sync" />
                        ) : (
                          <Text span size="sm" c="dimmed">
                            –
                          </Text>
                        )}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </div>
        );
      }}
    </Read>
  );
}

function Namespaces({ place }: { place: Place }) {
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
