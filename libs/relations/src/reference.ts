import { catalogue, pairName } from './catalogue.ts';
import { relationsOfPair } from './grants.ts';
import { table } from './policy.ts';
import { scopesOf } from './scopes-of-relations.ts';
import type { Holder, ObjectType, RelationRow } from './relation-row.ts';
import { rowsOf } from './table.ts';

/** The reference of all permissions (docs/permissions.md), for people who write a client or define a role. */
export function referenceText(): string {
  return `${[intro, ...types.map(typeText), catalogueText()].join('\n\n')}\n`;
}

const intro = `# Permissions

This page is made from the table of relations (\`libs/relations/src/table.ts\`) by
\`node libs/relations/src/generate.ts\`.

An operation needs a **relation** between the caller and the object. \`allowed-permissions\` returns the relations that
the caller holds and whose name begins with \`can_\`. Everybody above the lowest holder also holds the relation:
member < viewer < editor < admin < owner < site admin. A team with the permission \`read\`, \`write\`, \`admin\` or
\`owner\` makes its users viewers, editors, admins or owners. Users of any team are members. "System admin" marks the
relations that the hidden system admin of an organization holds. "Role permission" names the permission of a custom role
that gives the relation; "-" means that no role gives it. "Scope" names the scope that a token needs as well, in the
operations that ask for the relation. \`write:\` includes \`read:\`, and \`all\` includes everything. \`x-scope\` in
[openapi.json](openapi.json) is the scope of each operation.`;

const types: readonly { type: ObjectType; title: string; note?: string }[] = [
  { type: 'organization', title: 'Organization' },
  { type: 'team', title: 'Team', note: 'Custom roles give no relations on the Owners team.' },
  { type: 'role', title: 'Role' },
  { type: 'cluster', title: 'Cluster', note: 'A user who owns a cluster holds all these relations.' },
  { type: 'clusterset', title: 'Cluster set', note: 'These relations follow from the relations on the hub cluster.' },
  { type: 'contract', title: 'Contract',
    note: 'These relations follow from the relations on the organization that owns the contract. '
      + 'A user who owns a contract holds all of them.' },
  { type: 'robot_ac', title: 'System admin account (`robot_ac`)' },
  { type: 'token', title: 'Access token', note: 'Users hold all these relations on their personal tokens.' },
  { type: 'user', title: 'User' },
  { type: 'site', title: 'Site',
    note: 'The same relations exist on the administrative organization. There, too, only site admins hold them.' },
];

const holderText: Readonly<Record<Holder, string>> = {
  site_admin: 'site admin', owner: 'owner', admin: 'admin', editor: 'editor', viewer: 'viewer', member: 'member',
  team_member: 'members of the team', branding_editor: 'admin of the administrative organization',
  account_holder: 'the user',
};

function typeText({ type, title, note }: (typeof types)[number]): string {
  const rows = rowsOf(type).map((row) => [
    `\`${row.relation}\``,
    row.may,
    lowestText(row),
    row.systemAdmin ? 'yes' : '',
    row.pair?.replace('/', ' / ') ?? '-',
    scopesOf(type, row.relation).map((scope) => `\`${scope}\``).join(', '),
    row.labels.map((label) => `\`${label}\``).join(', '),
  ]);
  const head = ['relation', 'may', 'lowest holder', 'system admin', 'role permission', 'scope', 'asked for'];
  return [`## ${title}`, ...(note === undefined ? [] : [note]), table(head, rows)].join('\n\n');
}

function lowestText(row: RelationRow): string {
  const alsoMembers = row.teamMembers && row.lowest !== 'team_member' ? ', and members of the team' : '';
  const owners = row.ownersTeam === undefined ? '' : ` (Owners team: ${holderText[row.ownersTeam]})`;
  return holderText[row.lowest] + alsoMembers + owners;
}

function catalogueText(): string {
  const rows = catalogue.map(({ namespace, action, description, associated }) => [
    `\`${namespace}\` / \`${action}\``,
    description,
    relationsOfPair(namespace, action).map(({ type, relation }) => `${type} \`${relation}\``).join(', '),
    associated
      .map((other) => `\`${pairName(other.namespace, other.action)}\` (${other.required ? 'required' : 'optional'})`)
      .join(', '),
  ]);
  return `## Permissions of custom roles

Every organization has the same permissions, in this order. Suggested permissions are only information: the server
neither requires nor adds them.

${table(['permission', 'description', 'grants', 'suggests'], rows)}`;
}
