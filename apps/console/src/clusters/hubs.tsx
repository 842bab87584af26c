import { Button, Card, Group, Stack, TextInput, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { isDeployed } from '../api/page.ts';
import { useActing } from '../api/acting.ts';
import { useKept } from '../ui/kept.ts';
import { Page } from '../ui/page.tsx';
import { onSubmit } from '../ui/submit.ts';
import { BoundClusters } from './bound-clusters.tsx';
import { ImportedClusters } from './imported-clusters.tsx';

/** The imported clusters and the clusters of contracts, with a form that opens a hub. */
export function Hubs() {
  const { org, may } = useActing();
  const navigate = useNavigate();
  const [name, setName] = useKept('hub', '', 'page');
  const open = onSubmit(() => {
    void navigate({ to: '/orgs/$org/clusters/$owner/$cluster', params: { org, owner: org, cluster: name.trim() } });
  });
  return (
    <Page title="Clusters" about="Imported clusters, and clusters of contracts. Open a hub to see its cluster sets.">
      <Card withBorder>
        <form onSubmit={open} aria-label="Open a hub">
          <Group align="flex-end">
            <TextInput
              label="Open a hub"
              description="Name of an imported hub."
              value={name}
              required
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              w={{ base: '100%', xs: 340 }}
            />
            <Button type="submit" variant="light" disabled={name.trim() === ''}>Open</Button>
          </Group>
        </form>
      </Card>
      {may('can_view_clusters') && <ImportedClusters />}
      {isDeployed('listAssociatedClusters') && may('can_view_contracts') && (
        <Stack gap="sm">
          <Title order={2} fz={18}>Clusters of contracts</Title>
          <BoundClusters />
        </Stack>
      )}
    </Page>
  );
}
