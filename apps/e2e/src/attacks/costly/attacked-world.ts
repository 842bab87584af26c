import { type CallWorld, startExampleWorld } from '../../examples/example-world.ts';
import { startWorld } from '../../orgs/world.ts';
import { organizationHosts } from '../../platform.ts';
import type { Attacked } from './targets.ts';

/** @param limited whether rates are limited as in run mode `prod`; a search needs a platform without rate limits */
export type StartAttacked = (limited: boolean) => Promise<Attacked & AsyncDisposable>;

const ownProcess = { of: 'all', because: 'measured' } as const;
const limiting = (limited: boolean) => ({ 'rateLimit.enabled': String(limited) });

/** All services, with all objects that the examples name. */
export async function startAll(limited: boolean): Promise<Attacked & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const world = stack.use(await startExampleWorld({ settings: limiting(limited), ownProcess }));
  return await attackedIn(world, stack);
}

/** The services of organizations with a few teams and a role, which start in seconds. */
export async function startOrganizations(limited: boolean): Promise<Attacked & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const settings = { 'log.level': 'error', ...limiting(limited) };
  const world = stack.use(await startWorld({ hosts: organizationHosts, settings, ownProcess }));
  const owner = await world.person('alice');
  const organization = await world.organization(owner, { username: 'acme' });
  const { id, systemAdminId, teams: { Owners, Editors, Viewers } } = organization;
  const role = await owner.http.post('/api/v1/authz/roles?org=acme', {
    json: { name: 'Readers', permissions: [{ namespace: 'team_mgmt', action: 'view teams' }], teamIDs: [Editors] },
  });
  if (role.status !== 201) throw new Error(role.text);
  const meant = new Map([
    ...[[21, id], [22, systemAdminId], [31, Editors], [32, Viewers], [33, Owners], [34, Editors], [35, Viewers]],
    [41, role.json<{ id: number }>().id],
  ] as [number, number][]);
  const as = { 'owner': owner.http, 'site admin': world.siteAdmin.http, 'nobody': world.nobody };
  return await attackedIn({ world, acme: { organization, owner }, as, meant }, stack);
}

async function attackedIn(
  { world, acme: { organization, owner }, meant }: CallWorld, held: AsyncDisposableStack,
): Promise<Attacked & AsyncDisposable> {
  const [member, bystander] = [await world.person(), await world.person()];
  await world.join(owner, organization.teams.Viewers, member, bystander);
  const made = held.move();
  return {
    platform: world.platform,
    meant,
    bystander: bystander.token,
    tokens: {
      'nobody': undefined, 'bad token': '0'.repeat(40), 'member': member.token, 'owner': owner.token,
      'site admin': world.siteAdmin.token,
    },
    [Symbol.asyncDispose]: () => made.disposeAsync(),
  };
}
