import { Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import type { AssociatedCluster } from '@platform/client';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { platform } from '../api/client.ts';
import { isDeployed } from '../api/page.ts';
import { useActing } from '../shell/acting.ts';
import { DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';
import { Short } from '../ui/short.tsx';

/** Clusters of contracts, and the way to a hub. */
export function Hubs() {
  const { org, may } = useActing();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const open = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: '/orgs/$org/clusters/$owner/$cluster', params: { org, owner: org, cluster: name.trim() } });
  };
  return (
    <Page title="Clusters" about="Clusters that contracts are bound to, and hubs whose cluster sets are managed here.">
      <Card withBorder>
        <form onSubmit={open} aria-label="Open a hub">
          <Group align="flex-end">
            <TextInput
              label="Open a hub"
              description="Name of a cluster that the organization has imported."
              value={name}
              required
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              w={{ base: '100%', xs: 340 }}
            />
            <Button type="submit" variant="light" disabled={name.trim() === ''}>
              Open
            </Button>
          </Group>
        </form>
      </Card>
      {isDeployed('listAssociatedClusters') && may('can_view_contracts') && (
        <Stack gap="sm">
          <Title order={2} fz={18}>
            Clusters of contracts
          </Title>
          <DataList<AssociatedCluster>
            what="clusters"
            queryKey={['associated clusters', org]}
            keyOf={({ cluster }) => cluster}
            load={(page) => platform.list('listAssociatedClusters', { parameters: { org, ...page } })}
            columns={[
              {
                title: 'Cluster',
                value: ({ displayName, cluster }) => displayName || cluster,
                shown: ({ displayName, cluster }) => <Short>{displayName || cluster}</Short>,
              },
              {
                title: 'UUID',
                value: ({ cluster }) => cluster,
                shown: ({ cluster }) => <Short mono>{cluster}</Short>,
                minor: true,
              },
              { title: 'Contracts', value: ({ associatedContractIDs }) => associatedContractIDs.length, numeric: true },
              {
                title: 'Tags',
                value: ({ tags }) => tags.join(', '),
                shown: ({ tags }) => <Text size="sm">{tags.join(', ') || '–'}</Text>,
                minor: true,
              },
            ]}
            empty={<Empty title="No clusters are bound">Bind one in a contract.</Empty>}
          />
        </Stack>
      )}
    </Page>
  );
}
