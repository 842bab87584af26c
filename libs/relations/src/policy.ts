import type { PairName } from './catalogue.ts';
import { pairNames } from './catalogue.ts';
import type { ObjectClass } from './classes.ts';
import { describeClass } from './classes.ts';
import type { Subject } from './expected.ts';
import { relationTable } from './table.ts';

/** Returns the relations that a subject holds on the objects of a class. */
export type Decide = (subject: Subject, objectClass: ObjectClass) => Iterable<string>;

interface Section {
  readonly title: string;
  readonly objectClass: ObjectClass;
  readonly columns: readonly Column[];
  /** Selects the relations of this section; another section has the rest. */
  readonly only?: (relation: string) => boolean;
}

interface Column {
  readonly title: string;
  readonly subject: Subject;
}

const member: Column = { title: 'Member', subject: { kind: 'rank', rank: 'member' } };
const viewer: Column = { title: 'Viewer', subject: { kind: 'rank', rank: 'viewer' } };
const editor: Column = { title: 'Editor', subject: { kind: 'rank', rank: 'editor' } };
const admin: Column = { title: 'Admin', subject: { kind: 'rank', rank: 'admin' } };
const owner: Column = { title: 'Owner', subject: { kind: 'rank', rank: 'owner' } };
const systemAdmin: Column = { title: 'System admin', subject: { kind: 'system_admin' } };
const siteAdmin: Column = { title: 'Site admin', subject: { kind: 'rank', rank: 'site_admin' } };
const ownerUser: Column = { title: 'Its user', subject: { kind: 'owner_user' } };

const inOrganization = [member, viewer, editor, admin, owner, systemAdmin, siteAdmin];

/** The tables of the policy: one per kind of object, one column per kind of caller. */
export const policySections: readonly Section[] = [
  { title: 'The organization', objectClass: 'organization', columns: inOrganization },
  { title: 'Teams (not Owners) one is not in', objectClass: 'team', columns: inOrganization },
  { title: 'Teams (not Owners) one is in', objectClass: 'own_team',
    columns: [member, viewer, editor, admin, siteAdmin] },
  { title: 'The Owners team, for callers who are not in it', objectClass: 'owners_team',
    columns: [member, viewer, editor, admin, systemAdmin, siteAdmin] },
  { title: 'The Owners team, for its members', objectClass: 'own_owners_team',
    columns: [owner, siteAdmin] },
  { title: 'Roles', objectClass: 'role', columns: inOrganization },
  { title: 'Clusters', objectClass: 'cluster', columns: inOrganization },
  { title: 'Cluster sets', objectClass: 'cluster_set', columns: inOrganization },
  { title: 'Contracts', objectClass: 'contract', columns: inOrganization },
  { title: 'The system admin account', objectClass: 'robot_account', columns: inOrganization },
  { title: 'Access tokens of the organization', objectClass: 'token', columns: inOrganization },
  { title: 'The administrative organization: differences from other organizations',
    objectClass: 'administrative_organization', columns: inOrganization,
    only: (relation) => relation === 'can_edit_branding' || relation.startsWith('can_admin_') },
  { title: 'One\'s own account', objectClass: 'own_user', columns: [ownerUser, siteAdmin] },
  { title: 'Clusters of a user', objectClass: 'own_cluster', columns: [ownerUser, siteAdmin] },
  { title: 'Cluster sets of a user', objectClass: 'own_cluster_set',
    columns: [ownerUser, siteAdmin] },
  { title: 'Contracts of a user', objectClass: 'own_contract', columns: [ownerUser, siteAdmin] },
  { title: 'Personal access tokens', objectClass: 'own_token', columns: [ownerUser, siteAdmin] },
];

/** The classes for which the policy shows the effect of a role with a single pair. */
export const pairClasses: readonly { readonly title: string; readonly objectClass: ObjectClass }[] = [
  { title: 'organization', objectClass: 'organization' },
  { title: 'teams', objectClass: 'team' },
  { title: 'Owners', objectClass: 'owners_team' },
  { title: 'roles', objectClass: 'role' },
  { title: 'clusters', objectClass: 'cluster' },
  { title: 'cluster sets', objectClass: 'cluster_set' },
  { title: 'contracts', objectClass: 'contract' },
  { title: 'system admin account', objectClass: 'robot_account' },
  { title: 'access tokens', objectClass: 'token' },
];

/**
 * Returns the policy for people: who may do what with each kind of object, and what each permission of a custom role
 * adds. It is made twice, from the table and from answers of the engine; both results must equal the committed file.
 */
export function policyText(decide: Decide): string {
  return `${[intro, ...policySections.map((section) => sectionText(section, decide)), pairsText(decide)].join('\n\n')}\n`;
}

const intro = `# Who may do what

This page is made (\`node libs/relations/src/generate.ts\`) and compared with the answers of the authorization engine at
every test run. A change of this page is a change of permissions.

A person holds what any of their teams holds: **Owner** is a member of the Owners team; **Admin**, **Editor**, **Viewer**
a member of a team with the permission admin, write, read; **Member** a member of any team. **System admin** is the
hidden account that owns the organization's tokens. A **Site admin** runs the platform. Custom roles add the permissions
of the last table.`;

function sectionText({ title, objectClass, columns, only }: Section, decide: Decide): string {
  const held = columns.map(({ subject }) => new Set(decide(subject, objectClass)));
  const relations = describeClass(objectClass).checkable.filter((relation) => only?.(relation) ?? true);
  const rows = relations.map((relation) => [
    mayOf(objectClass, relation), `\`${relation}\``, ...held.map((set) => (set.has(relation) ? 'yes' : '-')),
  ]);
  return `## ${title}\n\n${table(['may', 'relation', ...columns.map((column) => column.title)], rows)}`;
}

function mayOf(objectClass: ObjectClass, relation: string): string {
  const type = describeClass(objectClass).type;
  const row = relationTable.find((candidate) => candidate.relation === relation && candidate.type === type)
    ?? relationTable.find((candidate) => candidate.relation === relation && candidate.type === 'site');
  return row?.may ?? '';
}

function pairsText(decide: Decide): string {
  const rows = pairNames.map((pair) => [pair.replace('/', ' / '), addedText(pair, decide)]);
  return `## What a custom role adds\n
A member of a team that has a role with this one permission, and no other right, holds beyond what every member holds:

${table(['permission', 'adds'], rows)}`;
}

function addedText(pair: PairName, decide: Decide): string {
  return pairClasses
    .map(({ title, objectClass }) => {
      const before = new Set(decide(member.subject, objectClass));
      const added = [...decide({ kind: 'pair', pair }, objectClass)].filter((relation) => !before.has(relation));
      return added.length === 0 ? '' : `${title}: ${added.sort().map((relation) => `\`${relation}\``).join(', ')}`;
    })
    .filter((text) => text !== '')
    .join('; ');
}

/** Writes a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
