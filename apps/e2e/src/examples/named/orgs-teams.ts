import { ClaimServiceService } from '@platform/proto/orgs/v1/claim';
import { sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { type HttpAnswer, rpcClient } from '@platform/testing';
import { specCall } from '../../operator.ts';
import type { Person, World } from '../../orgs/world.ts';
import { shownBaseUrl } from '../call-example.ts';
import type { ExampleOrganization, Names } from '../names.ts';

/** Further people of the examples: Bob is in Builders, Carol in Viewers, Dave in no team. */
export async function nameOrganizations(
  world: World, { names, owner, organization }: ExampleOrganization,
): Promise<void> {
  const [bob, carol, dave] = [
    await personOf(world, names, 'bob'), await personOf(world, names, 'carol'), await personOf(world, names, 'dave'),
  ];
  const { username, teams } = organization;
  await world.organization(owner, { username: names.text('attic') });
  const made = async (answer: Promise<HttpAnswer>) => {
    const created = await answer;
    if (created.status !== 201) throw new Error(created.text);
    return created.json<{ id: number }>().id;
  };
  const team = (name: string) =>
    made(owner.http.post(`/api/v1/orgs/${username}/teams`, { json: { name, type: 'kubernetes' } }));
  const role = (name: string, teamIDs: readonly number[]) =>
    made(owner.http.post(`/api/v1/authz/roles?org=${username}`, {
      json: { name, permissions: [{ namespace: 'team_mgmt', action: 'view teams' }], teamIDs },
    }));
  const [builders, movers] = [await team('Builders'), await team('Movers')];
  const [readers, drafts] = [await role('Readers', [builders]), await role('Drafts', [])];
  await world.join(owner, builders, bob);
  await world.join(owner, teams.Viewers, carol);
  const { admin } = world.operator;
  const { id: token } = await admin.createToken(
    { user: '', organization: username, name: 'deployment', expiresInSeconds: 0 },
    specCall(),
  );
  const clusterUid = names.text('1b671a64-40d5-491e-99b0-da01ff1f3341');
  const { id: busUser } = await admin.createBusAccount(
    { organization: username, clusterUid, productName: 'billing-agent' },
    { ...specCall(), deadline: deadlineIn(30_000) },
  );
  const claimId = await claimable(world, names);
  names.openly('K3V9Q7XW2MZ4T8RB6YHN5CJD1P', claimId);
  const { avatar } = await world.database.one(sql<{ avatar: string }>`select avatar from account where id = ${bob.id}`);
  names.openly('7c4a8d09ca3762af61e59520943dc264', avatar);
  for (const [index, { id }] of [owner, bob, carol, dave].entries()) names.openly(12 + index, id);
  names.ids(21, [organization.id, organization.systemAdminId]);
  names.ids(31, [builders, movers, teams.Owners, teams.Editors, teams.Viewers]);
  names.ids(41, [readers, drafts]);
  names.ids(51, [token]);
  names.ids(61, [busUser]);
  await nameSignIns(world, names, owner);
}

/** Ways to sign in of Alice: her token, a link, and a session that she has. */
async function nameSignIns(world: World, names: Names, { username, token }: Person): Promise<void> {
  const { admin } = world.operator;
  const { code } = await admin.createSignInLink({ user: username }, specCall());
  names.openly('c4ca4238a0b923820dcc509a6f75849b2c4d7e91', token);
  names.openly('9e107d9d372bb6826bd81d3542a419d6f1a3c5e7', code);
  const headers = { origin: shownBaseUrl };
  const signedIn = await world.nobody.post('/auth/sign-in/token', { json: { token }, headers });
  if (signedIn.status !== 204) throw new Error(signedIn.text);
  const { id } = await world.database.one(sql<{ id: number }>`
    select max(session.id) as id from access_token session
      join account on account.id = session.account_id
     where session.kind = 'session' and account.name = ${username}`);
  names.ids(66, [id]);
}

/** A person of the examples. Who exists is no secret (open-points 1.10). */
export async function personOf(world: World, names: Names, shown: string): Promise<Person> {
  const person = await world.person(names.text(shown));
  names.openly(shown, person.username);
  return person;
}

/** A standalone organization that waits to be claimed, as a marketplace registers it. */
async function claimable({ platform: { grpc, serviceCredential } }: World, names: Names): Promise<string> {
  await using claims = await rpcClient(ClaimServiceService, grpc['orgs-teams'].split(','), { serviceCredential });
  const claimId = names.text('K3V9Q7XW2MZ4T8RB6YHN5CJD1P');
  await claims.putClaim({ claimId, username: names.text('initech'), fullName: 'Initech', claimable: true }, specCall());
  return claimId;
}
