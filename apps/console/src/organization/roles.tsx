import { Button, Card } from '@mantine/core';
import type { Role } from '@platform/client';
import { IconPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ifStill, platform, readRevised, type Revised } from '../api/client.ts';
import { useActing } from '../api/acting.ts';
import { Confirm } from '../ui/act.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Read } from '../ui/read.tsx';
import { RoleMatrix } from './role-matrix.tsx';

/** Custom roles as a table: one row for each permission of the catalogue, one column for each role. */
export function Roles() {
  const { org, may } = useActing();
  const [asked, ask] = useState<'new' | { edit: Revised<Role> } | { remove: Role }>();
  const open = useMutation({
    mutationFn: (id: number) => readRevised('getRole', { parameters: { org, id } }),
    onSuccess: (role) => ask({ edit: role }),
  });
  const close = () => ask(undefined);
  const create = may('can_create_role') ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => ask('new')}>New role</Button>
  ) : undefined;
  const load = async () => ({
    roles: await platform.call('listRoles', { parameters: { org } }),
    catalogue: (await platform.call('listAvailablePermissions', { parameters: { org } })).permissions,
    teams: await platform.call('listTeams', { parameters: { orgname: org } }),
  });
  return (
    <Page
      title="Roles"
      actions={create}
      about="A role is a set of permissions that is given to teams. A tick changes the role at once."
    >
      {open.error && <Failure error={open.error} />}
      <Read what="The roles" queryKey={['roles', org, 'matrix']} load={load}>
        {({ roles, catalogue, teams }) => {
          const fields = [
            { name: 'name', label: 'Name', required: true },
            { name: 'description', label: 'Description', kind: 'long' as const },
            {
              name: 'teams', label: 'Given to', kind: 'many' as const,
              options: teams.filter(({ permission }) => permission !== 'owner')
                .map(({ id, name }) => ({ value: String(id), label: name })),
            },
          ];
          return (
            <>
              {roles.length === 0 ? (
                <Card withBorder>
                  <Empty title="No roles yet" action={create}>
                    Teams have the permission read, write or admin. A role gives exactly what you tick.
                  </Empty>
                </Card>
              ) : (
                <RoleMatrix
                  {...{ org, roles, catalogue }}
                  edit={(role) => open.mutate(role.id)}
                  remove={(role) => ask({ remove: role })}
                />
              )}
              {asked === 'new' && (
                <FormDialog
                  title="New role"
                  verb="Create"
                  onClose={close}
                  fields={fields}
                  said="The role is created. Now tick its permissions."
                  act={({ name, description, teams: given }) => platform.call('createRole', {
                    parameters: { org },
                    body: {
                      name: String(name), description: String(description), permissions: [],
                      teamIDs: (given as string[]).map(Number),
                    },
                  })}
                />
              )}
              {typeof asked === 'object' && 'edit' in asked && (
                <FormDialog
                  title="Edit the role"
                  verb="Save"
                  onClose={close}
                  fields={fields}
                  said="The role is changed"
                  of={asked.edit.id}
                  revision={asked.edit.revision}
                  initial={{
                    name: asked.edit.name, description: asked.edit.description, teams: asked.edit.team_ids.map(String),
                  }}
                  act={({ name, description, teams: given }, revision) => platform.call('updateRole', {
                    parameters: { org, id: asked.edit.id, ...ifStill(revision) },
                    body: {
                      name: String(name), description: String(description), teamIDs: (given as string[]).map(Number),
                    },
                  })}
                />
              )}
              {typeof asked === 'object' && 'remove' in asked && (
                <Confirm
                  title={`Delete the role ${asked.remove.name}`}
                  verb="Delete"
                  onClose={close}
                  said="The role is deleted"
                  act={() => platform.call('deleteRole', { parameters: { org, id: asked.remove.id } })}
                >
                  {asked.remove.team_ids.length === 0
                    ? 'No team has this role.'
                    : `Teams with this role: ${asked.remove.team_ids.length}. They lose this role.`}
                </Confirm>
              )}
            </>
          );
        }}
      </Read>
    </Page>
  );
}
