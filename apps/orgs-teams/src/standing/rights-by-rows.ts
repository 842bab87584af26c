import { type Queryable, sql } from '@platform/postgres';
import { type GrantedRelation, holdsOn, type ObjectClass } from '@platform/relations';
import type { Deadline } from '@platform/service';
import { readExplainedStanding } from './explained-standing.ts';
import { groundsByRows } from './why.ts';

/**
 * Reads which relations a user holds in an organization. Uses rows instead of the engine. Undefined if the user or the
 * organization does not exist, or if the user is inactive or may not sign in.
 */
export async function readRightsByRows(
  queryable: Queryable, accountId: number, organizationId: number, deadline: Deadline,
): Promise<{ holds(granted: Pick<GrantedRelation, 'objectClass' | 'relation'>): boolean } | undefined> {
  const account = await queryable.maybeOne(sql<{ isAdmin: boolean }>`
    select is_admin as "isAdmin" from account where id = ${accountId} and active and not prohibit_login`, { deadline });
  const standing = account && (await readExplainedStanding(queryable, accountId, organizationId, deadline));
  if (standing === undefined) return undefined;
  const held = standing.teams.map((team) => groundsByRows({ team, roles: team.roles }, standing.administrative));
  const holdsAny = (objectClass: ObjectClass, relation: string) =>
    held.some((grounds) => holdsOn(grounds, objectClass, relation));
  return { holds: ({ objectClass, relation }) => account!.isAdmin || holdsAny(objectClass, relation) };
}
