import { pairNames, pairOf } from './catalogue.ts';
import type { ObjectType, RelationRow } from './relation-row.ts';
import { rowsOf, userOwnedTypes } from './table.ts';
import { pairRelation } from './tuples.ts';

/**
 * Returns the authorization model in OpenFGA's language. The model has no exclusions, intersections or conditions
 * (open-points 2.1). So a caller holds every relation that any of the caller's principals holds.
 */
export function modelText(): string {
  return `${[header, user, site, organization(), team(), role(), ...owned(), revision].join('\n\n')}\n`;
}

const header = `# The authorization model. Made from the table of relations (libs/relations): change it there, then run
# \`node libs/relations/src/generate.ts\`. Relations named can_*, and member and owner of an organization, can be
# checked; all others are building blocks.
model
  schema 1.1`;

const user = typeText('user', [
  ['site', '[site]'],
  ['account_holder', '[user] or admin from site'],
  ...rowsOf('user').map((row): Definition => [row.relation, 'account_holder']),
]);

const site = typeText('site', [
  ['admin', '[user]'], ...rowsOf('site').map((row): Definition => [row.relation, 'admin']),
]);

const revision = `# Only named in the fence of an organization, never checked.
type revision`;

type Definition = readonly [relation: string, rewrite: string];

function organization(): string {
  return typeText('organization', [
    ['at', '[revision]'],
    ['site', '[site]'],
    ['administrative_site', '[site]'],
    ['site_admin', 'admin from site'],
    ['system_admin', '[user]'],
    ['owner', '[team#member] or site_admin'],
    ['admin', '[team#member] or owner'],
    ['editor', '[team#member] or admin'],
    ['viewer', '[team#member] or editor or system_admin'],
    ['member', '[team#member] or viewer'],
    ['branding_editor', '[organization#admin]'],
    ...pairNames.map((name): Definition => [pairRelation(pairOf(name)), '[role#assignee]']),
    ...rowsOf('organization').filter(({ relation }) => relation.startsWith('can_'))
      .map((row): Definition => [row.relation, onOrganization(row)]),
    ...rowsOf('site').map((row): Definition => [row.relation, `${row.relation} from administrative_site`]),
  ]);
}

function onOrganization(row: RelationRow): string {
  // Branding applies to the whole platform. So admins of ordinary organizations may not change it.
  if (row.lowest === 'branding_editor') return 'branding_editor or site_admin';
  return anyOf(row.lowest, pairTerm(row), systemAdminTerm(row));
}

function team(): string {
  return typeText('team', [
    ['organization', '[organization]'],
    ['owners_of', '[organization]'],
    ['member', '[user]'],
    ...rowsOf('team').map((row): Definition => [row.relation, onTeam(row)]),
  ]);
}

/** Roles do not apply to the Owners team (open-points 2.2). So this team has its own link, `owners_of`. */
function onTeam(row: RelationRow): string {
  const lowest = row.lowest === 'team_member' ? 'site_admin' : row.lowest;
  return anyOf(
    row.teamMembers ? 'member' : undefined,
    from('organization', lowest),
    from('organization', pairTerm(row)),
    from('organization', systemAdminTerm(row)),
    from('owners_of', row.ownersTeam ?? lowest),
    from('owners_of', systemAdminTerm(row)),
  );
}

function role(): string {
  return typeText('role', [
    ['organization', '[organization]'],
    ['assignee', '[team#member]'],
    ...rowsOf('role').map((row): Definition => [row.relation, throughOrganization(row)]),
  ]);
}

function owned(): string[] {
  const types: readonly ObjectType[] = ['cluster', 'clusterset', 'contract', 'robot_ac', 'token'];
  return types.map((type) => {
    const parent = type === 'clusterset' ? 'cluster' : 'organization';
    const links: Definition[] = [[parent, `[${parent}]`]];
    const ownedByUsers = type !== 'clusterset' && userOwnedTypes.includes(type);
    if (ownedByUsers) links.push(['owner_user', '[user]']);
    const relations = rowsOf(type).map((row): Definition => {
      const rewrite = row.through ? from(row.through.link, row.through.relation) : throughOrganization(row);
      return [row.relation, anyOf(rewrite, ownedByUsers ? from('owner_user', 'account_holder') : undefined)];
    });
    return typeText(type, [...links, ...relations]);
  });
}

function throughOrganization(row: RelationRow): string {
  return anyOf(...[row.lowest, pairTerm(row), systemAdminTerm(row)].map((term) => from('organization', term)));
}

/**
 * Returns the relation that a custom role with the row's `pair` (namespace and action) gives on the organization.
 * Returns undefined if the row has no pair.
 */
export function pairTerm({ pair }: RelationRow): string | undefined {
  return pair === undefined ? undefined : pairRelation(pairOf(pair));
}

/**
 * Returns `system_admin` if the system admin holds the relation, but a viewer does not. The system admin gets the
 * relations of a viewer without this term.
 */
export function systemAdminTerm({ systemAdmin, lowest }: RelationRow): string | undefined {
  return systemAdmin && lowest !== 'viewer' && lowest !== 'member' ? 'system_admin' : undefined;
}

function from(link: string, relation: string | undefined): string | undefined {
  return relation === undefined ? undefined : `${relation} from ${link}`;
}

function anyOf(...terms: (string | undefined)[]): string {
  return terms.filter((term) => term !== undefined).join(' or ');
}

function typeText(name: string, definitions: readonly Definition[]): string {
  const lines = definitions.map(([relation, rewrite]) => `    define ${relation}: ${rewrite}`);
  return [`type ${name}`, '  relations', ...lines].join('\n');
}
