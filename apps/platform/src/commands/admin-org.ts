import { AdminServiceService, type OrganizationDetails } from '@platform/proto/orgs/v1/admin';
import type { Environment } from '../settings.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';
import { columns, facts, type Output, timeText } from '../output.ts';
import { allParts, refuseMissing } from './lists.ts';

/**
 * `platform admin org list`: prints organizations by ascending id. With `--json`, prints `{"organizations": […]}`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function listOrganizations(
  { query, ...server }: ServerOptions & { readonly query?: string }, environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  const organizations = await allParts((after) => service.listOrganizations({ q: query, after }, operatorCall()),
    (part) => part.organizations.map(shownOrganization));
  output.answer({ organizations }, () => columns([
    ['ID', 'NAME', 'FULL NAME', 'VISIBILITY', 'MEMBERS', 'TEAMS', 'OWNERS'],
    ...organizations.map(({ id, name, fullName, visibility, members, teams, owners }) =>
      [String(id), name, fullName, visibility, String(members), String(teams), owners.join(', ')]),
  ]));
}

/**
 * `platform admin org show`: prints one organization. With `--json`, the fields are those of `platform admin org list`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function showOrganization(
  name: string, server: ServerOptions, environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  const { organizations: [found] } = await service.listOrganizations({ name }, operatorCall());
  const organization = shownOrganization(refuseMissing(found, `organization ${name}`, 'org list'));
  output.answer(organization, () => facts([
    ['id', organization.id], ['name', organization.name], ['full name', organization.fullName],
    ['visibility', organization.visibility], ['owners', organization.owners.join(', ')],
    ['members', organization.members], ['teams', organization.teams], ['created', organization.createdAt],
  ]));
}

function shownOrganization({ createdAt, ...organization }: OrganizationDetails) {
  return { ...organization, createdAt: timeText(createdAt) };
}
