import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Fault, notFound } from '@platform/faults';
import { usualLimits } from '@platform/http';
import { createRateLimiter, sourceAddressBy } from '@platform/limits';
import { sql } from '@platform/postgres';
import { readExamples } from '@platform/proto/examples';
import { readImage } from '@platform/proto/image';
import { type Role, RoleServiceService } from '@platform/proto/orgs/v1/role';
import { TeamServiceService } from '@platform/proto/orgs/v1/team';
import { openUpstream, serveRest } from '@platform/rest';
import { createGuard, implement, type Implementation, objectsById, remoteSources, startRpcServer } from '@platform/rpc';
import { createReadiness, Secret, silentLogger } from '@platform/service';
import { type AccessRule, type Method, readSurface } from '@platform/surface';
import { documentedHttp } from '../documented.ts';
import { hosted } from '../examples/deployments.ts';
import type { World } from '../orgs/world.ts';
import { ofAll } from './callers.ts';
import { callers } from './refusal-for.ts';
import { type Case, casesOf } from './cases.ts';
import { directCaller } from './direct-caller.ts';
import { foreignCallsOf } from './foreign-names.ts';
import type { Attacked } from './isolation.ts';
import { type Callers, tryOverGrpc, tryOverRest } from './try-callers.ts';
import { tryIsolation } from './try-isolation.ts';

// Runs the suites over callers and isolation on methods with planted mistakes, each of which must be found. A service
// in this process serves the methods over REST and gRPC, with the rows of orgs-teams.

const surface = readSurface(await readImage());
const examples = await readExamples();
const { deleteRole, getRole } = RoleServiceService;
const methodOf = (name: string) => surface.methods.find(({ fullName }) => fullName === `controlplane.orgs.v1.${name}`)!;

/** The services and callers that the cases use. */
interface Given {
  readonly world: World;
  readonly who: Callers;
  readonly attacked: Attacked;
}

const stack = new AsyncDisposableStack();
let given: Given;

/** Serves a single method. */
async function plant(method: Method, service: Implementation): Promise<Pick<Callers, 'http' | 'direct'>> {
  const { platform } = given.world;
  const serviceCredential = new Secret(platform.serviceCredential);
  const planted = { ...surface, methods: [method], byPath: new Map([[method.path, method]]) };
  const sources = stack.use(remoteSources({
    surface, serviceCredential,
    objects: {
      team: objectsById(async (ids) => new Map((await given.world.database.query(sql<{ id: number; ownerId: number }>`
        select id, organization_id as "ownerId" from team where id = any (${ids}::bigint[])`))
        .map(({ id, ownerId }) => [id, { ownerId }]))),
    },
    orgsTeams: platform.grpc['orgs-teams'].split(','), authz: platform.grpc.authz.split(','),
  }));
  const guard = createGuard(sources, { deployment: hosted, serviceCredentials: [serviceCredential] });
  const server = stack.use(await startRpcServer({
    surface: planted, host: 'planted', guard, listen: '127.0.0.1:0', log: silentLogger, services: [service],
  }));
  const upstream = stack.use(openUpstream(new Map([['planted', [server.address]]]), { serviceCredential }));
  const rest = stack.use(await serveRest({
    surface: planted, deployment: hosted, upstream, limits: usualLimits,
    rateLimiter: createRateLimiter(undefined), sourceAddress: sourceAddressBy([]), baseUrl: undefined,
    readiness: createReadiness({}), log: silentLogger, host: '127.0.0.1', port: 0,
  }));
  return { http: documentedHttp(rest.baseUrl), direct: stack.use(directCaller({ planted: server.address })) };
}

/** A method of orgs-teams as the planted service serves it. */
function planted(name: string, access: Partial<AccessRule>): Method {
  const method = methodOf(name);
  return { ...method, hosts: ['planted'], access: { ...method.access, ...access } };
}

/** The findings of the suite over callers. @param declared the method from which the expected refusals follow */
async function foundByCallers(declared: Method, served: Pick<Callers, 'http' | 'direct'>): Promise<string[]> {
  const [one] = casesOf(declared, examples) as [Case];
  const over = { ...given.who, ...served };
  return [
    ...await ofAll(callers, (caller) => tryOverRest(over, one, caller)),
    ...await ofAll(callers, (caller) => tryOverGrpc(over, one, 'planted', caller)),
  ];
}

async function foundByIsolation(declared: Method, { http: client }: Pick<Callers, 'http'>): Promise<string[]> {
  const [one] = casesOf(declared, examples) as [Case];
  const { attacked } = given;
  return tryIsolation({ ...attacked, http: client }, one, foreignCallsOf(one, attacked.theirs, attacked.ours));
}

async function roleOf(id: number, organizationId?: number): Promise<Role> {
  const role = await given.world.database.maybeOne(sql<{ name: string; ownerId: number }>`
    select name, organization_id as "ownerId" from role where id = ${id}`);
  if (role === undefined || (organizationId !== undefined && role.ownerId !== organizationId)) {
    throw notFound('role not found');
  }
  return { id, ...role, description: '', permissions: [], teamIds: [], createdAt: new Date(), updatedAt: new Date() };
}
const membersOnly = { who: 'member', check: undefined } as const;

/** Whether the suites over callers and isolation detect planted mistakes. */
export function describePlanted(world: () => Given): void {
  describe('the suites', () => {
    beforeAll(() => {
      given = world();
    });
    afterAll(() => stack.disposeAsync());

    it('find nothing in a method that checks its caller and its object', async () => {
      const method = planted('RoleService.GetRole', membersOnly);
      const served = await plant(method, implement({ getRole }, {
        getRole: async ({ id }, context) => roleOf(id, context.account?.id),
      }));
      expect(await foundByCallers(method, served)).toEqual([]);
      expect(await foundByIsolation(method, served)).toEqual([]);
    });

    it('find a method that is served without its check', async () => {
      const declared = planted('TeamService.GetTeam', {});
      const unchecked = planted('TeamService.GetTeam', { who: 'token', account: undefined, check: undefined });
      const served = await plant(unchecked, implement({ getTeam: TeamServiceService.getTeam }, {
        getTeam: async () => {
          throw new Fault('INVALID_PARAMETER', 'reached');
        },
      }));
      expect(await foundByCallers(declared, served)).toContain('outsider, the call: INVALID_PARAMETER, not NOT_FOUND');
    });

    it('find a method that shows an object of others by its id', async () => {
      const method = planted('RoleService.GetRole', membersOnly);
      const served = await plant(method, implement({ getRole }, { getRole: async ({ id }) => roleOf(id) }));
      expect(await foundByCallers(method, served)).toEqual([]);
      expect((await foundByIsolation(method, served)).join('\n')).toMatch(/owner: 200/);
    });

    it('find a method that changes an object of others and answers as if it were missing', async () => {
      const method = planted('RoleService.DeleteRole', membersOnly);
      const served = await plant(method, implement({ deleteRole }, {
        deleteRole: async ({ id }) => {
          await given.world.database.execute(sql`update role set description = description || '!' where id = ${id}`);
          throw notFound('role not found');
        },
      }));
      expect((await foundByIsolation(method, served)).join('\n')).toMatch(/rows of others have changed/);
    });

    it('find a method without an example', () => {
      const method = { ...methodOf('RoleService.GetRole'), fullName: 'controlplane.orgs.v1.RoleService.Planted' };
      expect(() => casesOf(method, examples)).toThrow('controlplane.orgs.v1.RoleService.Planted has no example');
    });
  });
}
