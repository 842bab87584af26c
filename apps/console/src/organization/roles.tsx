import { Badge, Button, Card, Checkbox, Group, Table, Text } from '@mantine/core';
import type { AvailablePermission, Role } from '@platform/client';
import { IconPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ifStill, platform, readRevised, type Revised } from '../api/client.ts';
import { useActing } from '../api/acting.ts';
import { Confirm, useChange } from '../ui/act.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { hint } from '../ui/hints.tsx';
import { Page } from '../ui/page.tsx';
import { Read } from '../ui/read.tsx';
import { Short } from '../ui/short.tsx';
import { Wide } from '../ui/wide.tsx';

const pairOf = ({ namespace = '', action = '' }: { namespace?: string; action?: string }) => `${namespace} / ${action}`;
const needed = ({ associated = [] }: AvailablePermission) => associated.filter(({ required }) => required);
const titles: Record<string, string> = {
  org_mgmt: 'Organization',
  team_mgmt: 'Teams',
  role_mgmt: 'Roles',
  token_mgmt: 'Tokens',
  cluster_mgmt: 'Clusters',
  contract_mgmt: 'Contracts',
};

/** Custom roles as a matrix: the catalogue downwards, the roles across. */
export function Roles() {
  const { org, may } = useActing();
  const [asked, ask] = useState<'new' | { edit: Revised<Role> } | { remove: Role }>();
  const open = useMutation({
    mutationFn: (id: number) => readRevised('getRole', { parameters: { org, id } }),
    onSuccess: (role) => ask({ edit: role }),
  });
  const close = () => ask(undefined);
  const create = may('can_create_role') ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => ask('new')}>
      New role
    </Button>
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
              name: 'teams',
              label: 'Given to',
              kind: 'many' as const,
              options: teams
                .filter(({ permission }) => permission !== 'owner')
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
                <Matrix
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
                  said="The role is created: tick what it gives"
                  act={({ name, description, teams: given }) =>
                    platform.call('createRole', {
                      parameters: { org },
                      body: {
                        name: String(name),
                        description: String(description),
                        permissions: [],
                        teamIDs: (given as string[]).map(Number),
                      },
                    })
                  }
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
                    name: asked.edit.name,
                    description: asked.edit.description,
                    teams: asked.edit.team_ids.map(String),
                  }}
                  act={({ name, description, teams: given }, revision) =>
                    platform.call('updateRole', {
                      parameters: { org, id: asked.edit.id, ...ifStill(revision) },
                      body: {
                        name: String(name),
                        description: String(description),
                        teamIDs: (given as string[]).map(Number),
                      },
                    })
                  }
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
                    ? 'No team has it.'
                    : `${asked.remove.team_ids.length} teams lose what it gives.`}
                </Confirm>
              )}
            </>
          );
        }}
      </Read>
    </Page>
  );
}

interface MatrixProps {
  org: string;
  roles: readonly Role[];
  catalogue: readonly AvailablePermission[];
  edit: (role: Role) => void;
  remove: (role: Role) => void;
}

function Matrix({ org, roles, catalogue, edit, remove }: MatrixProps) {
  // What the caller may do with one role is not told (open-points 2.5): who may make roles may change them.
  const mayEdit = useActing().may('can_create_role');
  const change = useChange(async ({ role, pair }: { role: Role; pair: AvailablePermission }) => {
    const { id } = role;
    const has = role.permissions.some((one) => pairOf(one) === pairOf(pair));
    // Somebody else may have ticked another one meanwhile.
    const { permissions, revision } = await readRevised('getRole', { parameters: { org, id } });
    const others = permissions.filter((one) => pairOf(one) !== pairOf(pair)) as {
      namespace: string;
      action: string;
    }[];
    return platform.call('updateRole', {
      parameters: { org, id, ...ifStill(revision) },
      body: {
        permissions: has ? others : [...others, { namespace: pair.namespace, action: pair.action }],
      },
    });
  });
  // A tick is shown at once; the answer may take it back.
  const isTicked = (role: Role, pair: AvailablePermission) => {
    const has = role.permissions.some((one) => pairOf(one) === pairOf(pair));
    const { isPending, variables } = change;
    const isChanging = isPending && variables.role.id === role.id && pairOf(variables.pair) === pairOf(pair);
    return isChanging ? !has : has;
  };
  const namespaces = [...new Set(catalogue.map(({ namespace }) => namespace))];
  return (
    <Card withBorder p={0}>
      {change.error && <Failure error={change.error} />}
      <Wide of="The matrix of roles">
        <Table className="matrix" verticalSpacing={6} horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Permission</Table.Th>
              {roles.map((role) => (
                <Table.Th key={role.id} scope="col" ta="center">
                  <Short width={140}>{role.name}</Short>
                  <Text size="xs" c="dimmed" fw={400}>
                    {role.team_ids.length} {role.team_ids.length === 1 ? 'team' : 'teams'}
                  </Text>
                  {mayEdit && (
                    <Group gap={4} justify="center" wrap="nowrap">
                      <Button
                        size="compact-xs"
                        variant="subtle"
                        aria-label={`Edit ${role.name}`}
                        onClick={() => edit(role)}
                      >
                        Edit
                      </Button>
                      <Button
                        size="compact-xs"
                        variant="subtle"
                        color="red"
                        aria-label={`Delete ${role.name}`}
                        onClick={() => remove(role)}
                      >
                        Delete
                      </Button>
                    </Group>
                  )}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          {namespaces.map((namespace) => (
            <Table.Tbody key={namespace}>
              <Table.Tr>
                <Table.Th colSpan={roles.length + 1} scope="rowgroup" c="dimmed" fz="xs" tt="uppercase">
                  {titles[namespace] ?? namespace}
                </Table.Th>
              </Table.Tr>
              {catalogue
                .filter((pair) => pair.namespace === namespace)
                .map((pair) => (
                  <Table.Tr key={pairOf(pair)}>
                    <Table.Th scope="row" fw={400}>
                      <span {...hint(pair.description)}>{pair.action}</span>
                      {needed(pair).length > 0 && (
                        <Badge
                          ml={6}
                          size="xs"
                          variant="light"
                          color="gray"
                          tt="none"
                          {...hint(`Needs ${needed(pair).map(pairOf).join(', ')}`)}
                        >
                          needs {needed(pair).length}
                        </Badge>
                      )}
                    </Table.Th>
                    {roles.map((role) => (
                      <Table.Td key={role.id} ta="center">
                        <Checkbox
                          display="inline-block"
                          aria-label={`${role.name}: ${pairOf(pair)}`}
                          disabled={!mayEdit || change.isPending}
                          checked={isTicked(role, pair)}
                          onChange={() => change.mutate({ role, pair })}
                        />
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
            </Table.Tbody>
          ))}
        </Table>
      </Wide>
    </Card>
  );
}
