import { coversScope, type Deployment, tokenScopes } from '@platform/surface';
import { seeded } from '@platform/testing';
import { hosted } from '../examples/deployments.ts';
import type { CallWorld } from '../examples/example-world.ts';
import { narrowToken } from '../orgs/world.ts';
import type { Case } from './cases.ts';
import { directCaller } from './direct-caller.ts';
import { type CallerKind, callers, onlyScope } from './refusal-for.ts';
import type { Callers } from './try-callers.ts';

/** Number of callers whose tokens are not narrow; they come first. */
const people = callers.length - tokenScopes.length;
/** Number of tokens without the needed scope to try on each method per day. */
const drawnScopes = 3;

/** Finds faults for all callers, who make calls concurrently. */
export async function ofAll(
  who: readonly CallerKind[], find: (caller: CallerKind) => Promise<readonly string[]>,
): Promise<string[]> {
  const found = async (some: readonly CallerKind[]) => (await Promise.all(some.map(async (caller) =>
    (await find(caller)).map((what) => `${caller}, ${what}`)))).flat();
  // In several parts, because some answers are expensive.
  return [...await found(who.slice(0, people)), ...await found(who.slice(people))];
}

/**
 * All callers whose tokens are not narrow, the narrow ones that are admitted, and some others that the seed draws. The
 * proof `callers` tries all of them.
 */
export function callersOfDay({ name, method: { access: { tokenScope } } }: Case, seed: number): CallerKind[] {
  const covers = (scope: string) => tokenScope !== undefined && coversScope([scope], tokenScope);
  const [enough, others] = [tokenScopes.filter(covers), tokenScopes.filter((scope) => !covers(scope))];
  const drawn = seeded(`${seed} ${name}`).shuffle(others).slice(0, drawnScopes);
  return [...callers.slice(0, people), ...[...enough, ...drawn].map(onlyScope)];
}

/** Makes all kinds of callers of acme. The team of the examples is its team Viewers, so the viewer is in it. */
export async function callersOf(
  { world, acme, meant }: CallWorld, deployment: Deployment = hosted,
): Promise<Callers & AsyncDisposable> {
  const { platform, operator } = world;
  const direct = directCaller(platform.grpc);
  const [outsider, viewer] = [await world.person(), await world.person()];
  const { Viewers } = acme.organization.teams;
  await world.join(acme.owner, Viewers, viewer);
  // Tokens of the site admin, each with one scope.
  const narrow: Record<ReturnType<typeof onlyScope>, string> = {};
  for (const scope of tokenScopes) narrow[onlyScope(scope)] = await narrowToken(world.siteAdmin.http, scope);
  return {
    http: platform.http, direct, deployment,
    tokens: {
      nobody: undefined, 'bad token': '0'.repeat(40),
      outsider: outsider.token, viewer: viewer.token, owner: acme.owner.token,
      'system admin': await operator.systemAdminToken(acme.organization.username),
      'site admin': platform.adminToken, ...narrow,
    },
    meant: new Map([...meant, [31, Viewers], [32, Viewers]]),
    [Symbol.asyncDispose]: () => direct[Symbol.asyncDispose](),
  };
}
