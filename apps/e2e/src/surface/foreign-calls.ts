import type { Method } from '@platform/surface';
import type { Case } from './callers.ts';

/** What the calls of an attacker name: an organization, and things in one. */
export interface Names {
  readonly organization: string;
  readonly organizationId: number;
  readonly team: number;
  readonly role: number;
  readonly token: number;
  /** Somebody; who exists as a user is no secret (open-points 1.10), so nothing is compared by him. */
  readonly user: { readonly id: number; readonly username: string };
}

/** What a call can name: the acting organization, or something in one. */
export type Subject = 'organization' | 'object';

export interface Call {
  readonly verb: string;
  readonly path: string;
  readonly json: unknown;
}

/** Which name stands for `{id}`: what the path says before it. */
const namedBySegment: Readonly<Record<string, keyof Pick<Names, 'role' | 'token'>>> = {
  roles: 'role', 'access-tokens': 'token', 'bus-tokens': 'token',
};

/** Bodies that name something; of the others any will do. */
const bodies: Readonly<Record<string, (names: Names) => unknown>> = {
  'platform.authz.v1.AuthorizationService.ListAllowedPermissions': ({ organizationId, team, token }) => [
    { objectType: 'team', objectID: team }, { objectType: 'token', objectID: token },
    { objectType: 'organization', objectID: organizationId },
  ],
  'platform.orgs.v1.RoleService.CreateRole': ({ team }) => ({ name: 'intruder', permissions: [], teamIDs: [team] }),
  'platform.orgs.v1.RoleService.UpdateRole': ({ team }) => ({ name: 'intruder', teamIDs: [team] }),
  'platform.orgs.v1.TeamService.CreateTeam': ({ role }) =>
    ({ name: 'intruder', type: 'kubernetes', assignedRoleIDs: [role] }),
  'platform.orgs.v1.TeamService.UpdateTeam': ({ role }) => ({ name: 'intruder', assignedRoleIDs: [role] }),
};

/** Whether a method names such a subject at all. */
export function names({ method }: Case, subject: Subject): boolean {
  if (subject === 'organization') return method.access.account?.from === 'slug';
  return method.fullName in bodies || objectFields(method).length > 0;
}

/**
 * A call of a method on the organization and the things given.
 * @throws Error for a field that this file does not know: say in it what stands for it
 */
export function callOn({ method, action }: Case, given: Names): Call {
  const { verb, template, body } = method.http!;
  const inPath = [...template.matchAll(/\{(\w+)/g)].map(([, field]) => field!);
  const path = template.replace(/\{(\w+)[^}]*\}/g, (_, field: string) =>
    encodeURIComponent(valueOf(field, template, given, action)));
  const query = method.input.fields
    .filter(({ name }) => ['org', 'orgname', 'uid'].includes(name) && !inPath.includes(name) && body !== '*')
    .map(({ name, jsonName }) => `${jsonName}=${encodeURIComponent(valueOf(name, template, given, action))}`);
  return {
    verb,
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    json: body === '' ? undefined : bodies[method.fullName]?.(given) ?? { full_name: 'intruder' },
  };
}

function objectFields({ http }: Method): string[] {
  return [...http!.template.matchAll(/\{(teamid|id|object_id)\b/g)].map(([, field]) => field!);
}

function valueOf(field: string, template: string, given: Names, action: string | undefined): string | number {
  switch (field) {
    case 'org':
    case 'orgname':
      return given.organization;
    case 'teamid':
    case 'object_id':
      return given.team;
    case 'object_type':
      return 'team';
    case 'action':
      return action!;
    case 'uid':
      return given.user.id;
    case 'username':
      return given.user.username;
    case 'claim_id':
      return 'X'.repeat(26);
    case 'id': {
      const segment = /([\w-]+)\/\{id\}/.exec(template)?.[1] ?? '';
      const named = namedBySegment[segment];
      if (named !== undefined) return given[named];
      break;
    }
    default:
  }
  throw new Error(`say in foreign-calls.ts what stands for {${field}} of ${template}`);
}
