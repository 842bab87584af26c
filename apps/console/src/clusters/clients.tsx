import { Button } from '@mantine/core';
import type { ClientOrgParamsInput, Organization } from '@platform/client';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { platform } from '../api/client.ts';
import { Confirm } from '../ui/act.tsx';
import { DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Read } from '../ui/read.tsx';
import { Short } from '../ui/short.tsx';
import { given } from '../ui/values.ts';

/** Organizations that are made for clients, with namespaces and rights on the spokes of a hub. */
export function Clients() {
  const [asked, ask] = useState<'new' | Organization>();
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => ask('new')}>
      New client
    </Button>
  );
  return (
    <Page
      title="Clients"
      about="A client organization has namespaces and rights on clusters that a hub manages."
      actions={create}
    >
      <DataList<Organization>
        what="clients"
        queryKey={['clients']}
        keyOf={({ id }) => id}
        load={(page) => platform.list('listClientOrganizations', { parameters: page })}
        columns={[
          { title: 'Client', value: ({ username }) => username, shown: ({ username }) => <Short>{username}</Short> },
          {
            title: 'Name',
            value: ({ full_name }) => full_name,
            shown: ({ full_name }) => <Short>{full_name || '–'}</Short>,
            minor: true,
          },
          { title: 'State', value: () => '', shown: ({ username }) => <State of={username} /> },
        ]}
        actions={(one) => [{ title: 'Delete', color: 'red', act: () => ask(one) }]}
        empty={
          <Empty title="No clients yet" action={create}>
            You need a hub that an account has imported.
          </Empty>
        }
      />
      {asked === 'new' && (
        <FormDialog
          title="New client"
          verb="Create"
          onClose={() => ask(undefined)}
          said="The client is being set up"
          fields={[
            { name: 'orgName', label: 'Name', required: true },
            { name: 'orgFullName', label: 'Full name' },
            { name: 'description', label: 'Description', kind: 'long' },
            { name: 'hubClusterOwnerName', label: 'Owner of the hub', required: true },
            { name: 'hubClusterUID', label: 'UUID of the hub', required: true },
            {
              name: 'userPermission',
              label: 'People and rights',
              kind: 'json',
              required: true,
              about: 'As the API takes `userPermission`.',
            },
            { name: 'useGateway', label: 'It has a gateway', kind: 'switch' },
          ]}
          act={({
            orgName,
            orgFullName,
            description,
            hubClusterOwnerName,
            hubClusterUID,
            userPermission,
            useGateway,
          }) =>
            platform.call('createClientOrganization', {
              body: {
                clientOrg: given({ orgName, orgFullName, description }),
                hubClusterOwnerName,
                hubClusterUID,
                useGateway,
                userPermission: JSON.parse(String(userPermission)) as unknown,
              } as unknown as ClientOrgParamsInput,
            })
          }
        />
      )}
      {typeof asked === 'object' && (
        <Confirm
          title={`Delete the client ${asked.username}`}
          verb="Delete"
          typed={asked.username}
          onClose={() => ask(undefined)}
          said="The client is being deleted"
          act={() => platform.call('deleteClientOrganization', { parameters: { id: asked.id } })}
        >
          Its namespaces go from all clusters, with what is in them.
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
