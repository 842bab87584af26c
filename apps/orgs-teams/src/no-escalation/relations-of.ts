import { sql } from '@platform/postgres';
import {
  expectedRelations, type ObjectClass, objectClasses, type Pair, pairName, relationsOn, teamMembers,
} from '@platform/relations';
import { as, until } from '@platform/testing';
import type { TestPlatform, TestUser } from '../fixtures/platform.ts';
import type { TestOrganization } from '../fixtures/structure.ts';

const classes: readonly ObjectClass[] = objectClasses
  .filter(({ owner, objectClass }) => owner === 'organization' && objectClass !== 'administrative_organization')
  .map(({ objectClass }) => objectClass);

/** What a viewer holds who is also in a team whose only role holds this pair, by the table: `role#can_edit`. */
export function relationsWith({ namespace, action }: Pair): ReadonlySet<string> {
  const pair = pairName(namespace, action)!;
  return new Set(classes.flatMap((objectClass) => [
    ...expectedRelations({ kind: 'rank', rank: 'viewer' }, objectClass),
    ...expectedRelations({ kind: 'pair', pair }, objectClass),
  ].map((relation) => `${objectClass}#${relation}`)));
}

/**
 * Asks the engine on what grounds each team of a user stands in an organization, and answers all that follows on each
 * class of objects. A team is asked about again only when its revision is another one.
 */
export function relationsOf(platform: TestPlatform, organization: TestOrganization, user: TestUser) {
  const known = new Map<string, readonly string[]>();

  async function ask(teamId: number): Promise<readonly string[]> {
    const answer = await until(
      () => platform.engine.askGrounds(
        { principal: teamMembers(teamId), organizationId: organization.id }, as(undefined),
      ),
      { within: 30_000, what: 'the engine answers' },
    );
    const grounds = new Set(answer.grounds);
    return classes.flatMap((objectClass) =>
      relationsOn(grounds, objectClass).map((relation) => `${objectClass}#${relation}`));
  }

  return async (): Promise<ReadonlySet<string>> => {
    await platform.settled(organization.id);
    const teams = await platform.database.query(sql<{ id: number; revision: string }>`
      select team.id, team.revision
        from team_member member
        join team on team.id = member.team_id
       where member.user_id = ${user.id} and member.organization_id = ${organization.id}`);
    const held = new Set<string>();
    for (const { id, revision } of teams) {
      const relations = known.get(revision) ?? await ask(id);
      known.set(revision, relations);
      for (const relation of relations) held.add(relation);
    }
    return held;
  };
}
