import { type Database, sql } from '@platform/postgres';
import {
  checkableRelations, objectClasses, reportedRelations, siteObject, teamObject, userObject,
} from '@platform/relations';
import { openFgaStore, type ProofOptions, type ProofResult, seeded } from '@platform/testing';
import { startWorld, type World } from '../src/orgs/world.ts';
import { tried } from '../src/tried.ts';
import { engineCheck, type EngineCheck, type Tuple } from './authorization/engine-check.ts';
import { type Asker, type OwnedObject, realRows } from './same-as-engine/real-rows.ts';

export const name = 'same-as-engine';
export const describe = 'What allowed-permissions answers over REST, in random worlds of real rows with changes in '
  + 'between, is what OpenFGA itself decides for the very user and object: 200,000 decisions, 0 different.';
export const servers = true;

const wholeDecisions = 200_000;
/** Number of objects to compare in one round, out of all answers to one caller. */
const objectsPerRound = 12;

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const random = seeded(seed);
  const wanted = Math.round(wholeDecisions * share);
  const store = await openFgaStore();
  await using world = await startWorld({ settings: store.settings });
  const engine = await engineCheck(store, store.storeName);
  const rows = await realRows(world, random);
  const different: string[] = [];
  let [decisions, held, rounds] = [0, 0, 0];

  while (decisions < wanted) {
    if (rounds % 4 === 0) await rows.change(random);
    rounds += 1;
    const asker = random.pick(rows.askers);
    const askable = rows.objects.filter(({ type, id }) => type !== 'user' || id === asker.id);
    const objects = random.shuffle(askable).slice(0, objectsPerRound);
    const place = await placeOf(world.database, asker);
    if (place === undefined) continue;
    const ours = await ask(world, asker, place, objects);
    const contextual = await contextOf(world.database, asker.id);
    for (const [index, object] of objects.entries()) {
      const relations = await relationsOf(world.database, object);
      const theirs = await askEngine(world.database, engine, asker, object, relations, contextual);
      decisions += relations.length;
      held += theirs.length;
      const wrong = relations.filter((relation) => ours[index]!.includes(relation) !== theirs.includes(relation));
      const surplus = ours[index]!.filter((relation) => !relations.includes(relation));
      different.push(...[...wrong, ...surplus].map((relation) =>
        `round ${rounds}: user:${asker.id} ${relation} ${object.type}:${object.id}: ours ${ours[index]!.includes(relation)}`));
    }
    if (rounds % 100 === 0) report(`${decisions} decisions, ${different.length} different`);
  }
  return {
    figure: `${decisions} decisions in ${rounds} requests, ${held} of them allows, ${different.length} different`,
    // The proof would be void if users always or never had the rights.
    holds: different.length === 0 && held > decisions / 20 && held < decisions,
    counterexamples: different.slice(0, 20),
  };
}

/** An organization of which the caller is a member; undefined if there is none. */
async function placeOf(database: Database, { id }: Asker): Promise<string | undefined> {
  const [place] = await database.query(sql<{ name: string }>`
    select organization.name from account organization
     where organization.id = (
       select coalesce(account.system_admin_of, (
                select organization_id from team_member where user_id = account.id order by 1 limit 1
              )) from account where id = ${id})`);
  return place?.name;
}

/** Asks for all objects in one request. While OpenFGA is slow, the answer is 503. */
async function ask(
  world: World, { token }: Asker, organization: string, objects: readonly OwnedObject[],
): Promise<string[][]> {
  const path = `/api/v1/authz/objects/allowed-permissions?org=${organization}`;
  const json = objects.map(({ type, id }) => ({ objectType: type, objectID: id }));
  const answer = await tried(() => world.as(token).post(path, { json, within: 30_000 }));
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.json<{ allowedPermissions: string[] }[]>().map(({ allowedPermissions }) => allowedPermissions);
}

/** The relations that can be reported for an object. They depend on its type and on the kind of its owner. */
async function relationsOf(database: Database, { type, ownerId }: OwnedObject): Promise<readonly string[]> {
  const [owner] = await database.query(sql<{ orgType: number }>`
    select org_type as "orgType" from organization where id = ${ownerId}`);
  if (type === 'organization' && owner?.orgType === 6) {
    return reportedRelations(checkableRelations('administrative_organization'));
  }
  const known = objectClasses.find((one) => one.type === type && one.owner === (owner ? 'organization' : 'user'));
  return reportedRelations(known!.checkable);
}

/** Facts that are never stored: all memberships of the user, and the flag. */
async function contextOf(database: Database, userId: number): Promise<Tuple[]> {
  const user = userObject(userId);
  const teams = await database.query(sql<{ id: number }>`
    select team_id as "id" from team_member where user_id = ${userId}`);
  const { isAdmin } = await database.one(sql<{ isAdmin: boolean }>`
    select is_admin as "isAdmin" from account where id = ${userId}`);
  return [
    ...teams.map(({ id }) => ({ user, relation: 'member', object: teamObject(id) })),
    ...(isAdmin ? [{ user, relation: 'admin', object: siteObject }] : []),
  ];
}

/** Asks OpenFGA the same question directly: this user, this object, with its owner. */
async function askEngine(
  database: Database, engine: EngineCheck, { id }: Asker, { type, id: objectId, ownerId, isOwnersTeam }: OwnedObject,
  relations: readonly string[], contextual: readonly Tuple[],
): Promise<string[]> {
  const object = `${type}:${objectId}`;
  const [organization] = await database.query(sql<{ id: number }>`select id from organization where id = ${ownerId}`);
  const links: Tuple[] = organization === undefined
    ? ownedByUser(type, object, userObject(ownerId))
    : type === 'organization' ? [] : [{
      user: `organization:${ownerId}`, relation: isOwnersTeam ? 'owners_of' : 'organization', object,
    }];
  return engine.held(userObject(id), object, relations, [...contextual, ...links]);
}

function ownedByUser(type: string, object: string, owner: string): Tuple[] {
  return [
    { user: owner, relation: 'account_holder', object: owner }, { user: siteObject, relation: 'site', object: owner },
    ...(type === 'user' ? [] : [{ user: owner, relation: 'owner_user', object }]),
  ];
}
