import {
  type ObjectType, organizationObject, type RelationTuple, siteObject, teamObject, userObject,
} from '@platform/relations';
import type { Question } from '../domain/question.ts';
import type { OwnedObject, World } from './world.ts';

/**
 * Returns a question for the engine: which of `relations` does the user have on the object? The question contains
 * contextual tuples for the user's teams, the site admin flag and the object's owner, because the engine does not store
 * these facts.
 */
export function userQuestion(
  world: World, accountId: number, { type, id, owner }: OwnedObject, relations: readonly string[],
): Question {
  const organization = world.organizations.find((candidate) => candidate.id === owner.ownerId);
  const user = userObject(accountId);
  const memberships = (organization?.teams ?? [])
    .filter(({ members }) => members.has(accountId))
    .map((team) => ({ user, relation: 'member', object: teamObject(team.id) }));
  const flag = world.siteAdmins.has(accountId) ? [{ user, relation: 'admin', object: siteObject }] : [];
  const place = organization
    ? ownedByOrganization(type, id, organizationObject(organization.id), owner.isOwnersTeam)
    : ownedByUser(type, id, userObject(owner.ownerId));
  return { user, object: place.object, relations, contextual: [...memberships, ...flag, ...place.links] };
}

type Place = { readonly object: string; readonly links: readonly RelationTuple[] };

function ownedByOrganization(type: ObjectType, id: number, organization: string, isOwnersTeam: boolean): Place {
  if (type === 'organization') return { object: organization, links: [] };
  return onItsHub(type, id, { user: organization, relation: isOwnersTeam ? 'owners_of' : 'organization' });
}

function ownedByUser(type: ObjectType, id: number, owner: string): Place {
  const account = [
    { user: owner, relation: 'account_holder', object: owner }, { user: siteObject, relation: 'site', object: owner },
  ];
  if (type === 'user') return { object: owner, links: account };
  const { object, links } = onItsHub(type, id, { user: owner, relation: 'owner_user' });
  return { object, links: [...account, ...links] };
}

/**
 * Returns the object's name in the engine, and the tuples that link the object to its owner. For a cluster set, one
 * tuple links the set to its hub, and another links the hub to the owner.
 */
function onItsHub(type: ObjectType, id: number, link: Pick<RelationTuple, 'user' | 'relation'>): Place {
  if (type !== 'clusterset') return { object: `${type}:${id}`, links: [{ ...link, object: `${type}:${id}` }] };
  const [hub, object] = [`cluster:${id}`, `clusterset:${id}/set`];
  return { object, links: [{ ...link, object: hub }, { user: hub, relation: 'cluster', object }] };
}
