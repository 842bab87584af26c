import { Button } from '@mantine/core';
import type { Team, UpdateTeamFields, User } from '@platform/client';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAllowed } from '../api/allowed.ts';
import { csvOf, ifStill, platform, readRevised, type Revised } from '../api/client.ts';
import { useOrg } from '../api/acting.ts';
import { Confirm } from '../ui/act.tsx';
import { DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Read } from '../ui/read.tsx';
import { memberColumns } from './member-columns.tsx';
import { permissionName, permissions } from './teams.tsx';

/** One team: its members and its rights. */
export function TeamScreen() {
  const { team } = useParams({ strict: false }) as { team: string };
  return (
    <Read
      what="The team"
      queryKey={['team', team]}
      load={() => readRevised('getTeam', { parameters: { teamid: Number(team) } })}
    >
      {(one) => <Shown team={one} />}
    </Read>
  );
}

function Shown({ team }: { team: Revised<Team> }) {
  const org = useOrg()!;
  const navigate = useNavigate();
  const { allows, error } = useAllowed(org, [{ objectType: 'team', objectID: team.id }]);
  const may = (relation: string) => allows(relation, 'team', team.id);
  const [asked, ask] = useState<'edit' | 'delete' | 'add' | User>();
  const close = () => ask(undefined);
  const parameters = { teamid: team.id };
  const isOwners = team.permission === 'owner';
  /** Whether the team has one of the permissions that the form offers. */
  const hasPermission = permissions.some(({ value }) => value === team.permission);
  const roles = useQuery({
    queryKey: ['roles', org],
    queryFn: () => platform.call('listRoles', { parameters: { org } }),
  });
  const named = (team.role_ids ?? []).map((id) => roles.data?.find((role) => role.id === id)?.name ?? String(id));
  const add = may('can_add_member') ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => ask('add')}>Add somebody</Button>
  ) : undefined;
  return (
    <Page
      title={team.name}
      above={[{ title: 'Teams', to: `/orgs/${org}/teams` }]}
      about={`${permissionName[team.permission]}${named.length > 0 ? `, with ${named.join(', ')}` : ''}. ${team.description}`}
      actions={
        <>
          {add}
          {may('can_edit') && !isOwners && <Button variant="default" onClick={() => ask('edit')}>Edit</Button>}
          {may('can_delete') && !isOwners && (
            <Button variant="light" color="red" onClick={() => ask('delete')}>Delete</Button>
          )}
        </>
      }
    >
      {error && <Failure error={error} what="The list of your rights" />}
      <DataList
        what="members"
        queryKey={['team members', team.id]}
        csv={csvOf('listTeamMembers', parameters)}
        keyOf={({ id }) => id}
        columns={memberColumns}
        load={(page) => platform.list('listTeamMembers', { parameters: { ...parameters, ...page } })}
        actions={(user) => [
          may('can_remove_member') && { title: 'Remove from the team', color: 'red', act: () => ask(user) },
        ]}
        empty={<Empty title="Nobody is in this team" action={add}>Its members get the rights of the team.</Empty>}
      />
      {asked === 'add' && (
        <FormDialog
          title="Add somebody to the team"
          verb="Add"
          onClose={close}
          said="They are in the team now"
          fields={[
            {
              name: 'username', label: 'Person', kind: 'person', required: true,
              about: 'Type the beginning of a name. The person also becomes a member of the organization.',
            },
          ]}
          act={({ username }) =>
            platform.call('addTeamMember', { parameters: { ...parameters, username: String(username) } })}
        />
      )}
      {asked === 'edit' && (
        <FormDialog
          title="Edit the team"
          verb="Save"
          onClose={close}
          said="The team is changed"
          of={team.id}
          revision={team.revision}
          initial={{
            name: team.name,
            description: team.description,
            permission: hasPermission ? team.permission : null,
            roles: (team.role_ids ?? []).map(String),
          }}
          fields={[
            { name: 'name', label: 'Name', required: true },
            {
              name: 'permission', label: 'May', kind: 'select', options: permissions,
              about: 'Leave this empty for a team that gets its rights from roles only.',
            },
            {
              name: 'roles', label: 'Roles', kind: 'many',
              options: roles.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? [],
              error: roles.error,
            },
            { name: 'description', label: 'Description', kind: 'long' },
          ]}
          act={({ name, description, permission, roles: chosen }, revision) => platform.call('updateTeam', {
            parameters: { ...parameters, ...ifStill(revision) },
            body: {
              name, description,
              ...(permission === null ? hasPermission && { permission: 'custom' } : { permission }),
              assignedRoleIDs: (chosen as string[]).map(Number),
            } as UpdateTeamFields,
          })}
        />
      )}
      {asked === 'delete' && (
        <Confirm
          title={`Delete the team ${team.name}`}
          verb="Delete"
          onClose={close}
          act={async () => {
            await platform.call('deleteTeam', { parameters });
            await navigate({ to: '/orgs/$org/teams', params: { org } });
          }}
        >
          Its members lose the rights that only this team gives them.
        </Confirm>
      )}
      {typeof asked === 'object' && (
        <Confirm
          title="Remove from the team"
          verb="Remove"
          onClose={close}
          act={() => platform.call('removeTeamMember', { parameters: { ...parameters, username: asked.login } })}
        >
          {asked.login} immediately loses the rights that this team gives.
        </Confirm>
      )}
    </Page>
  );
}
