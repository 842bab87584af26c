import { Badge, Button } from '@mantine/core';
import type { CreateTeamFields, Team } from '@platform/client';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { csvOf, platform } from '../api/client.ts';
import { useActing } from '../api/acting.ts';
import { shortColumn } from '../ui/columns.tsx';
import { type Column, DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Page } from '../ui/page.tsx';
import { given, isBlank } from '../ui/values.ts';

export const permissions = [
  { value: 'read', label: 'Read: see everything' },
  { value: 'write', label: 'Write: change clusters, contracts and tokens' },
  { value: 'admin', label: 'Admin: create and delete' },
];

export const permissionName: Record<Team['permission'], string> = {
  none: 'None', read: 'Read', write: 'Write', admin: 'Admin', owner: 'Owner', custom: 'By roles',
};

const columns: Column<Team>[] = [
  shortColumn('Team', ({ name }) => name),
  {
    title: 'May',
    value: ({ permission }) => permissionName[permission],
    shown: ({ permission }) => (
      <Badge variant="light" color={permission === 'owner' ? 'grape' : 'gray'} tt="none" autoContrast>
        {permissionName[permission]}
      </Badge>
    ),
  },
  { title: 'Roles', value: ({ role_ids }) => role_ids?.length ?? 0, numeric: true },
  shortColumn('Description', ({ description }) => description, { absent: '–', width: 420, minor: true }),
];

export function Teams() {
  const { org, may } = useActing();
  const navigate = useNavigate();
  const [isNew, setNew] = useState(false);
  const create = may('can_create_team') ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setNew(true)}>New team</Button>
  ) : undefined;
  return (
    <Page title="Teams" about="Members of a team get rights from its permission and its roles." actions={create}>
      <DataList
        what="teams"
        queryKey={['teams', org]}
        csv={csvOf('listTeams', { orgname: org })}
        columns={columns}
        keyOf={({ id }) => id}
        load={(page) => platform.list('listTeams', { parameters: { orgname: org, ...page } })}
        onOpen={({ id }) => void navigate({ to: '/orgs/$org/teams/$team', params: { org, team: String(id) } })}
        empty={<Empty title="No teams" action={create} />}
      />
      {isNew && (
        <FormDialog
          title="New team"
          verb="Create"
          onClose={() => setNew(false)}
          said="The team is created"
          of="new"
          initial={{ permission: 'read' }}
          fields={[
            { name: 'name', label: 'Name', required: true },
            {
              name: 'permission', label: 'May', kind: 'select', options: permissions,
              about: 'Leave this empty for a team that gets its rights from roles only.',
            },
            { name: 'description', label: 'Description', kind: 'long' },
          ]}
          act={(values) => platform.call('createTeam', {
            parameters: { orgname: org },
            body: {
              ...given(values), type: 'kubernetes',
              // Without `permission` and `assignedRoleIDs`, the API would create a team with the permission `read`.
              ...(isBlank(values['permission']) && { assignedRoleIDs: [] }),
            } as CreateTeamFields,
          })}
          after={({ id }) => void navigate({ to: '/orgs/$org/teams/$team', params: { org, team: String(id) } })}
        />
      )}
    </Page>
  );
}
