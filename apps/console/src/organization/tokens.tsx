import { Badge, Button, Stack, Title } from '@mantine/core';
import type { AccessTokenInfo, BusAccount } from '@platform/client';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { csvOf, platform } from '../api/client.ts';
import { useActing } from '../api/acting.ts';
import { Confirm, SecretDialog } from '../ui/act.tsx';
import { momentColumn, shortColumn } from '../ui/columns.tsx';
import { type Column, DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';
import { Short } from '../ui/short.tsx';
import { NewAccessToken, NewBusToken } from './new-tokens.tsx';
import { SyncToken } from './sync-token.tsx';

const accessColumns: Column<AccessTokenInfo>[] = [
  shortColumn('Token', ({ name }) => name),
  {
    title: 'Ends in', value: ({ tokenLastEight }) => tokenLastEight,
    shown: ({ tokenLastEight }) => <Short mono>{`…${tokenLastEight}`}</Short>, minor: true,
  },
  {
    title: 'Used',
    value: ({ hasUsed, hasRecentActivity }) => (hasRecentActivity ? 'Within 7 days' : hasUsed ? 'Earlier' : 'Never'),
  },
  momentColumn('Created', ({ createdAt }) => createdAt, { minor: true }),
  momentColumn('Valid until', ({ expDate }) => expDate, { absent: 'No end' }),
];

const busColumns: Column<BusAccount>[] = [
  shortColumn('Cluster', ({ clusterID }) => clusterID, { mono: true }),
  { title: 'Product', value: ({ productName }) => productName },
  shortColumn('Public key', ({ busPubKey }) => busPubKey, { mono: true, width: 220, minor: true }),
  {
    title: 'State',
    value: ({ revoked }) => (revoked ? 'Revoked' : 'Valid'),
    shown: ({ revoked }) => (
      <Badge variant="light" color={revoked ? 'gray' : 'green'} tt="none">{revoked ? 'Revoked' : 'Valid'}</Badge>
    ),
  },
];

function NewButton({ act }: { act: () => void }) {
  return <Button size="xs" leftSection={<IconPlus size={14} />} onClick={act}>New token</Button>;
}

/** The access tokens, the bus tokens and the sync token of an organization. */
export function Tokens() {
  const { org, may } = useActing();
  const [asked, ask] = useState<'access' | 'bus' | { access: AccessTokenInfo } | { bus: BusAccount }>();
  const [made, setMade] = useState<string>();
  return (
    <Page
      title="Tokens"
      about="Programs use access tokens. Agents in clusters use bus tokens."
    >
      {may('can_list_access_tokens') && (
        <Stack gap="sm">
          <Title order={2} fz={18}>Access tokens</Title>
          <DataList
            what="access tokens"
            queryKey={['access tokens', org]}
            csv={csvOf('listAccessTokens', { orgname: org })}
            toolbar={may('can_create_access_token') && <NewButton act={() => ask('access')} />}
            columns={accessColumns}
            keyOf={({ id }) => id}
            load={(page) => platform.list('listAccessTokens', { parameters: { orgname: org, ...page } })}
            actions={(token) => [
              may('can_delete_access_token') && { title: 'End it', color: 'red', act: () => ask({ access: token }) },
            ]}
            empty={<Empty title="No access tokens">The organization has no token that a program can use.</Empty>}
          />
        </Stack>
      )}
      {may('can_list_bus_tokens') && (
        <Stack gap="sm">
          <Title order={2} fz={18}>Bus tokens</Title>
          <DataList
            what="bus tokens"
            queryKey={['bus tokens', org]}
            csv={csvOf('listBusTokens', { orgname: org })}
            toolbar={may('can_create_bus_token') && <NewButton act={() => ask('bus')} />}
            columns={busColumns}
            keyOf={({ id }) => id}
            load={(page) => platform.list('listBusTokens', { parameters: { orgname: org, ...page } })}
            actions={(bus) => [
              may('can_revoke_bus_token') && !bus.revoked && { title: 'Revoke', color: 'red', act: () => ask({ bus }) },
            ]}
            empty={<Empty title="No bus tokens">An agent gets a bus token when it registers its licence.</Empty>}
          />
        </Stack>
      )}
      <SyncToken />
      {asked === 'access' && <NewAccessToken org={org} after={setMade} onClose={() => ask(undefined)} />}
      {asked === 'bus' && <NewBusToken org={org} after={setMade} onClose={() => ask(undefined)} />}
      {made !== undefined && <SecretDialog title="The token" secret={made} onClose={() => setMade(undefined)} />}
      {typeof asked === 'object' && 'access' in asked && (
        <Confirm
          title={`End the token ${asked.access.name}`}
          verb="End it"
          onClose={() => ask(undefined)}
          said="The token is ended"
          act={() => platform.call('deleteAccessToken', { parameters: { orgname: org, id: asked.access.id } })}
        >
          Programs that use it are refused from now on.
        </Confirm>
      )}
      {typeof asked === 'object' && 'bus' in asked && (
        <Confirm
          title="Revoke the bus token"
          verb="Revoke"
          onClose={() => ask(undefined)}
          said="The bus token is revoked"
          act={() => platform.call('revokeBusToken', { parameters: { orgname: org, id: asked.bus.id } })}
        >
          The agent in cluster {asked.bus.clusterID} is cut off, and no longer reports usage.
        </Confirm>
      )}
    </Page>
  );
}
