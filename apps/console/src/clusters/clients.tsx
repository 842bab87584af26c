import { Button } from '@mantine/core';
import type { Organization } from '@platform/client';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { csvOf, platform } from '../api/client.ts';
import { Confirm } from '../ui/act.tsx';
import { shortColumn } from '../ui/columns.tsx';
import { DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';
import { Read } from '../ui/read.tsx';
import { ClientProgress } from './client-progress.tsx';
import { AddCluster, NewClient, TakeCluster } from './new-client.tsx';

/** The client organizations. They have namespaces and rights on clusters that a hub manages. */
export function Clients() {
  const [asked, ask] = useState<
    | 'new' | { show: string } | { add: string } | { take: string } | { remove: Organization }
  >();
  const create = <Button leftSection={<IconPlus size={16} />} onClick={() => ask('new')}>New client</Button>;
  return (
    <Page
      title="Clients"
      about="A client organization has namespaces and rights on clusters that a hub manages."
      actions={create}
    >
      <DataList<Organization>
        what="clients"
        queryKey={['clients']}
        csv={csvOf('listClientOrganizations', {})}
        keyOf={({ id }) => id}
        load={(page) => platform.list('listClientOrganizations', { parameters: page })}
        columns={[
          shortColumn('Client', ({ username }) => username),
          shortColumn('Name', ({ full_name }) => full_name, { absent: '–', minor: true }),
          { title: 'State', value: () => '', shown: ({ username }) => <State of={username} /> },
        ]}
        onOpen={({ username }) => ask({ show: username })}
        actions={(one) => [
          { title: 'Add a cluster', act: () => ask({ add: one.username }) },
          { title: 'Take a cluster away', color: 'red', act: () => ask({ take: one.username }) },
          { title: 'Delete', color: 'red', act: () => ask({ remove: one }) },
        ]}
        empty={<Empty title="No clients yet" action={create}>You need a hub that an account has imported.</Empty>}
      />
      {asked === 'new' && (
        <NewClient onClose={() => ask(undefined)} after={({ username }) => ask({ show: username })} />
      )}
      {typeof asked === 'object' && 'show' in asked && (
        <ClientProgress of={asked.show} onClose={() => ask(undefined)} />
      )}
      {typeof asked === 'object' && 'add' in asked && <AddCluster client={asked.add} onClose={() => ask(undefined)} />}
      {typeof asked === 'object' && 'take' in asked && (
        <TakeCluster client={asked.take} onClose={() => ask(undefined)} />
      )}
      {typeof asked === 'object' && 'remove' in asked && (
        <Confirm
          title={`Delete the client ${asked.remove.username}`}
          verb="Delete"
          typed={asked.remove.username}
          onClose={() => ask((now) => (now === asked ? undefined : now))}
          act={async () => {
            await platform.call('deleteClientOrganization', { parameters: { id: asked.remove.id } });
            ask({ show: asked.remove.username });
          }}
        >
          Its namespaces are deleted from all clusters, with everything in them.
        </Confirm>
      )}
    </Page>
  );
}

function State({ of }: { of: string }) {
  return (
    <Read
      what="The state"
      queryKey={['client state', of]}
      every={10_000}
      load={() => platform.call('getClientOrganizationStatus', { parameters: { orgname: of } })}
    >
      {({ status }) => status}
    </Read>
  );
}
