import { describe, expect, it } from '@jest/globals';
import type { Requirement } from '@platform/proto/orgs/v1/admin';
import {
  expectedRelations, type ObjectClass, objectClasses, pairName, pairNames, type Subject, type TeamPermission,
} from '@platform/relations';
import { requirementsOf } from './why.ts';

/** The classes of each type of object. A team has the class `inside` for its own members, and `outside` for others. */
const classes: readonly (readonly [inside: ObjectClass, outside: ObjectClass | undefined])[] = [
  ['own_team', 'team'],
  ['own_owners_team', 'owners_team'],
  ...objectClasses
    .filter(({ owner, type }) => owner === 'organization' && type !== 'team')
    .map(({ objectClass }) => [objectClass, undefined] as const),
];
const ranks = ['member', 'viewer', 'editor', 'admin', 'owner'] as const;
const subjects: readonly Subject[] = [
  ...ranks.map((rank) => ({ kind: 'rank', rank }) as const),
  ...pairNames.map((pair) => ({ kind: 'pair', pair }) as const),
  { kind: 'system_admin' },
];
const rankOf: Partial<Record<TeamPermission, (typeof ranks)[number]>> = {
  none: 'member', read: 'viewer', write: 'editor', admin: 'admin', owner: 'owner',
};

/** Whether a subject meets a requirement. Decides from the fields of the requirement, without grounds. */
function meets(subject: Subject, inside: boolean, { kind, right, namespace, action }: Requirement): boolean {
  const rank = subject.kind === 'rank' ? subject.rank : subject.kind === 'system_admin' ? 'viewer' : 'member';
  switch (kind) {
    case 'right':
      return ranks.indexOf(rank as (typeof ranks)[number]) >= ranks.indexOf(rankOf[right as TeamPermission]!);
    case 'permission':
      return subject.kind === 'pair' && subject.pair === pairName(namespace, action);
    case 'system_admin':
      return subject.kind === 'system_admin';
    case 'branding':
      return rank === 'admin' || rank === 'owner';
    case 'own_team':
      return inside;
    default:
      throw new RangeError(`nobody can tell what ${kind} asks for`);
  }
}

describe('what would have to hold', () => {
  it.each(classes)('on %s is enough where it holds, and everything that is where nothing does', (inside, outside) => {
    const relations = objectClasses.find(({ objectClass }) => objectClass === inside)!.checkable;
    const seen = [
      { objectClass: inside, isInside: inside.startsWith('own_') },
      ...(outside === undefined ? [] : [{ objectClass: outside, isInside: false }]),
    ];
    for (const relation of relations) {
      const requirements = requirementsOf(inside, relation);
      for (const { objectClass, isInside } of seen) {
        for (const subject of subjects) {
          // A system admin is in no team.
          if (isInside && subject.kind === 'system_admin') continue;
          const met = requirements.some((requirement) => meets(subject, isInside, requirement));
          const holds = expectedRelations(subject, objectClass).includes(relation);
          expect({ relation, objectClass, subject, holds: met }).toEqual({ relation, objectClass, subject, holds });
        }
      }
    }
  });
});
