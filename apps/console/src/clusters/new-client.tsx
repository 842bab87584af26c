import type { ClientOrgParamsInput, Organization } from '@platform/client';
import { platform } from '../api/client.ts';
import type { Field } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { given } from '../ui/values.ts';

const hub: readonly Field[] = [
  {
    name: 'hubClusterOwnerName', label: 'Owner of the hub', required: true, about: 'Name of an organization or a user.',
  },
  { name: 'hubClusterUID', label: 'UUID of the hub', required: true },
];
const spoke: readonly Field[] = [
  ...hub,
  { name: 'hubClusterName', label: 'Name of the hub', required: true },
  { name: 'spokeClusterName', label: 'Name of the cluster on the hub', required: true },
];

const roles = [
  { value: 'platform:admin', label: 'Admin: manage objects and rights in the namespaces of the client' },
  { value: 'platform:editor', label: 'Editor: create and change objects' },
  { value: 'platform:viewer', label: 'Viewer: see everything' },
];

interface Shape {
  readonly client: string;
  readonly onClose: () => void;
}

const step = (title: string, fields: readonly Field[]) => fields.map((field) => ({ ...field, step: title }));

/** A form that creates a client organization with an owner, and gives the client a role on clusters of a hub. */
export function NewClient({ onClose, after }: Pick<Shape, 'onClose'> & { after: (made: Organization) => void }) {
  return (
    <FormDialog
      title="New client"
      verb="Create"
      onClose={onClose}
      after={after}
      of="new"
      initial={{ role: 'platform:admin', importCluster: true }}
      fields={[
        ...step('Client', [
          { name: 'orgName', label: 'Name', required: true, about: 'Part of namespace names: a-z, 0-9, -.' },
          { name: 'orgFullName', label: 'Full name' },
          { name: 'description', label: 'Description', kind: 'long' },
        ]),
        ...step('Clusters', [
          ...hub,
          { name: 'clusters', label: 'Clusters', kind: 'tags', required: true, about: 'Their names on the hub.' },
          { name: 'importCluster', label: 'Import the clusters for the client', kind: 'switch' },
          { name: 'useGateway', label: 'The client has a gateway', kind: 'switch' },
        ]),
        ...step('Owner', [
          { name: 'userName', label: 'User name', required: true },
          { name: 'email', label: 'E-mail', kind: 'email', about: 'Needed for a new user.' },
          { name: 'role', label: 'Role on the clusters', kind: 'select', options: roles, required: true },
        ]),
      ]}
      act={({ orgName, orgFullName, description, clusters, userName, email, role, importCluster, ...rest }) =>
        platform.call('createClientOrganization', {
          body: {
            ...rest,
            clientOrg: given({ orgName, orgFullName, description }),
            userPermission: {
              ...given({ userName, email }),
              importCluster,
              permissions: (clusters as string[]).map((name) => ({ name, roleRefName: role })),
            },
          } as unknown as ClientOrgParamsInput,
        })
      }
    />
  );
}

/** A form that adds a cluster of a hub to a client organization. */
export function AddCluster({ client, onClose }: Shape) {
  return (
    <FormDialog
      title={`Add a cluster to ${client}`}
      verb="Add"
      onClose={onClose}
      said="The cluster is being set up"
      fields={spoke}
      act={(values) =>
        platform.call('addClientCluster', { parameters: { orgname: client }, body: values as unknown as SpokeFields })}
    />
  );
}

/** A form that takes a cluster away from a client organization. */
export function TakeCluster({ client, onClose }: Shape) {
  return (
    <FormDialog
      title={`Take a cluster away from ${client}`}
      verb="Take away"
      onClose={onClose}
      said="The cluster is being taken away"
      about="The client's namespaces on the cluster are deleted, with everything in them."
      fields={spoke}
      act={(values) => platform.call('removeClientCluster', {
        parameters: { orgname: client },
        body: values as unknown as SpokeFields,
      })}
    />
  );
}

type SpokeFields = Record<'hubClusterOwnerName' | 'hubClusterName' | 'hubClusterUID' | 'spokeClusterName', string>;
