import type { PermissionList, RoleChange } from '@platform/proto/orgs/v1/role';
import { comparePairs, type Pair, pairName, pairOf } from '@platform/relations';
import { Fault, type Violation } from '@platform/faults';
import { invalidName, invalidValue, lengthProblem, refuseTooMany } from '@platform/values';
import { roleNameProblem } from './structure-names.ts';

/** The fields of a role in a request. A field is undefined if the request does not contain it. */
interface RequestedRole {
  readonly name: string | undefined;
  readonly description: string | undefined;
  /** The permissions without duplicates, in the order of the catalogue. */
  readonly permissions: readonly Pair[] | undefined;
  /** The teams in the order of the request, at most as many as a role may have. */
  readonly teamIds: readonly number[] | undefined;
}

/**
 * Reads the fields of a role from a request (open-points 2.7).
 * @throws Fault INVALID_NAME, INVALID_VALUE, UNKNOWN_PERMISSION, TOO_MANY_ITEMS
 */
export function requestedRole(request: RoleChange, teamsPerRole: number): RequestedRole {
  const name = request.name?.trim();
  const problem = name === undefined ? undefined : roleNameProblem(name);
  if (problem !== undefined) throw invalidName(problem);
  const description = requestedDescription(request.description);
  const permissions = request.permissions && requestedPairs(request.permissions);
  const teamIds = request.teamIds?.items;
  refuseTooMany('teamIDs', teamIds ?? [], teamsPerRole);
  return { name, description, permissions, teamIds };
}

/** Checks and returns the description of a role or a team. @throws Fault INVALID_VALUE */
export function requestedDescription(description: string | undefined): string | undefined {
  const problem = lengthProblem(description ?? '', { most: 255 });
  if (problem !== undefined) throw invalidValue([{ path: 'description', message: problem }]);
  return description;
}

function requestedPairs({ items }: PermissionList): Pair[] {
  const names = items.map(({ namespace = '', action = '' }) => pairName(namespace, action));
  const violations = items.flatMap(({ namespace = '', action = '' }, index): Violation[] =>
    names[index] === undefined
      ? [{ path: `permissions[${index}]`, message: `${namespace} / ${action} is not in the catalogue of permissions` }]
      : []);
  if (violations.length > 0) {
    throw new Fault('UNKNOWN_PERMISSION', `${violations[0]!.path}: ${violations[0]!.message}`, { violations });
  }
  return [...new Set(names)].flatMap((name) => (name === undefined ? [] : [pairOf(name)])).sort(comparePairs);
}
