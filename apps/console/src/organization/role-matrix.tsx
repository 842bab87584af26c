import { Badge, Button, Card, Checkbox, Group, Table, Text } from '@mantine/core';
import type { AvailablePermission, Role } from '@platform/client';
import { ifStill, platform, readRevised } from '../api/client.ts';
import { useChange } from '../ui/act.tsx';
import { Failure } from '../ui/failure.tsx';
import { hint } from '../ui/hints.tsx';
import { Short } from '../ui/short.tsx';
import { Wide } from '../ui/wide.tsx';
import { useRoleRights } from './role-rights.ts';

const pairOf = ({ namespace = '', action = '' }: { namespace?: string; action?: string }) => `${namespace} / ${action}`;
const needed = ({ associated = [] }: AvailablePermission) => associated.filter(({ required }) => required);
const titles: Record<string, string> = {
  org_mgmt: 'Organization', team_mgmt: 'Teams', role_mgmt: 'Roles', token_mgmt: 'Tokens', cluster_mgmt: 'Clusters',
  contract_mgmt: 'Contracts',
};

interface RoleMatrixProps {
  org: string;
  roles: readonly Role[];
  catalogue: readonly AvailablePermission[];
  edit: (role: Role) => void;
  remove: (role: Role) => void;
}

/**
 * A table with one row for each permission in the catalogue and one column for each role. A click adds the permission
 * to the role, or removes it, at once.
 */
export function RoleMatrix({ org, roles, catalogue, edit, remove }: RoleMatrixProps) {
  const { may, error } = useRoleRights(org, roles[0]?.id);
  // A change reads the role first, which requires `can_view`.
  const mayEdit = may('can_view') && may('can_edit');
  const mayDelete = may('can_delete');
  const change = useChange(async ({ role, pair }: { role: Role; pair: AvailablePermission }) => {
    const { id } = role;
    const has = role.permissions.some((one) => pairOf(one) === pairOf(pair));
    // Read the role again, because somebody else may have changed it.
    const { permissions, revision } = await readRevised('getRole', { parameters: { org, id } });
    const others = permissions.filter((one) => pairOf(one) !== pairOf(pair)) as { namespace: string; action: string }[];
    return platform.call('updateRole', {
      parameters: { org, id, ...ifStill(revision) },
      body: { permissions: has ? others : [...others, { namespace: pair.namespace, action: pair.action }] },
    });
  });
  // Show the change before the answer arrives. A refusal undoes it.
  const isTicked = (role: Role, pair: AvailablePermission) => {
    const has = role.permissions.some((one) => pairOf(one) === pairOf(pair));
    const { isPending, variables } = change;
    const isChanging = isPending && variables.role.id === role.id && pairOf(variables.pair) === pairOf(pair);
    return isChanging ? !has : has;
  };
  const namespaces = [...new Set(catalogue.map(({ namespace }) => namespace))];
  return (
    <Card withBorder p={0}>
      {error && <Failure error={error} what="The list of your rights" />}
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
                  <Group gap={4} justify="center" wrap="nowrap">
                    {mayEdit && (
                      <Button
                        size="compact-xs" variant="subtle" aria-label={`Edit ${role.name}`} onClick={() => edit(role)}
                      >
                        Edit
                      </Button>
                    )}
                    {mayDelete && (
                      <Button
                        size="compact-xs" variant="subtle" color="red" aria-label={`Delete ${role.name}`}
                        onClick={() => remove(role)}
                      >
                        Delete
                      </Button>
                    )}
                  </Group>
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
              {catalogue.filter((pair) => pair.namespace === namespace).map((pair) => (
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
