import { randomBytes } from 'node:crypto';
import { sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { checked, ok } from '../../contracts/contract-world.ts';
import { claimsOf } from '../../marketplace/marketplace-world.ts';
import { specCall } from '../../operator.ts';
import { keptBrowser, keptCode } from '../../orgs/kept-codes.ts';
import type { Person, World } from '../../orgs/world.ts';
import { shownBaseUrl, shownBrowser } from '../call-example.ts';
import type { ExampleOrganization, Names } from '../names.ts';

/** Further people of the examples: Bob is in Builders, Carol in Viewers, Dave in no team. */
export async function nameOrganizations(world: World, within: ExampleOrganization): Promise<void> {
  const { names, owner, organization } = within;
  const { username, teams } = organization;
  const [bob, carol] = [await personOf(world, names, 'bob'), await personOf(world, names, 'carol')];
  const dave = await personOf(world, names, 'dave');
  await world.organization(owner, { username: names.text('attic') });
  const made = async (path: string, json: object) => ok<{ id: number }>(await owner.http.post(path, { json }), 201).id;
  const team = (name: string) => made(`/api/v1/orgs/${username}/teams`, { name, type: 'kubernetes' });
  const permissions = [{ namespace: 'team_mgmt', action: 'view teams' }];
  const role = (name: string, teamIDs: readonly number[]) =>
    made(`/api/v1/authz/roles?org=${username}`, { name, permissions, teamIDs });
  const [builders, movers] = [await team('Builders'), await team('Movers')];
  const [readers, drafts] = [await role('Readers', [builders]), await role('Drafts', [])];
  await world.join(owner, builders, bob);
  await world.join(owner, teams.Viewers, carol);
  const { admin } = world.operator;
  const { id: token } = await admin.createToken(
    { user: '', organization: username, name: 'deployment', expiresInSeconds: 0 }, specCall(),
  );
  const clusterUid = names.text('1b671a64-40d5-491e-99b0-da01ff1f3341');
  const { id: busUser } = await admin.createBusAccount(
    { organization: username, clusterUid, productName: 'billing-agent' },
    { ...specCall(), deadline: deadlineIn(30_000) },
  );
  await nameClaim(world, names, 'K3V9Q7XW2MZ4T8RB6YHN5CJD1P', 'Initech');
  const { avatar } = await world.database.one(sql<{ avatar: string }>`select avatar from account where id = ${bob.id}`);
  names.openly('7c4a8d09ca3762af61e59520943dc264', avatar);
  for (const [index, { id }] of [owner, bob, carol, dave].entries()) names.openly(12 + index, id);
  names.ids(21, [organization.id, organization.systemAdminId]);
  names.ids(31, [builders, movers, teams.Owners, teams.Editors, teams.Viewers]);
  names.ids(41, [readers, drafts]);
  names.ids(51, [token]);
  names.ids(61, [busUser]);
  await nameSignIns(world, names, owner);
  names.ids(67, [await invitationOf(world, within, 'ivan@example.org')]);
  const hooks = await Promise.all([webhookOf(world, owner, organization.id), webhookOf(world, world.siteAdmin, null)]);
  names.ids(43, hooks.map(({ webhook }) => webhook));
  names.ids(46, hooks.map(({ delivery }) => delivery));
  const code = randomBytes(20).toString('hex');
  await world.database.execute(sql`
    insert into sign_in_code (kind, hash, invitation_id, expires_at)
    values ('invitation', ${keptCode(world, 'invitation', code)}::bytea,
            ${await invitationOf(world, within, 'grace@example.org')}, now() + interval '1 day')`);
  names.openly('da4b9237bacccdf19c0760cab7aec4a8359010b0', code);
}

/** An endpoint that is not active, so no example makes an event for it, with one that was delivered before. */
async function webhookOf({ database }: World, maker: Person, organizationId: number | null) {
  const { id: webhook } = await database.one(sql<{ id: number }>`
    insert into webhook (organization_id, maker_id, url, events, active)
    values (${organizationId}::bigint, ${maker.id}, 'https://hooks.example.org/members', '{role.deleted}', false)
    returning id`);
  const { id: delivery } = await database.one(sql<{ id: number }>`
    insert into webhook_delivery
      (webhook_id, event_id, organization_id, kind, subject, data, state, attempts, status, duration_ms, sent_at)
    values (${webhook}, gen_random_uuid(), ${organizationId ?? 1}::bigint, 'role.deleted', 'role:5', '{}', 'delivered', 1,
            204, 35, now())
    returning id`);
  return { webhook, delivery };
}

/** An open invitation into Viewers. */
async function invitationOf({ database }: World, within: ExampleOrganization, email: string): Promise<number> {
  const { names, organization, owner } = within;
  const { id } = await database.one(sql<{ id: number }>`
    insert into team_invitation (organization_id, team_id, inviter_id, email)
    values (${organization.id}, ${organization.teams.Viewers}, ${owner.id}, ${names.text(email)}) returning id`);
  return id;
}

/** The ways in which Alice signs in: her token, a link, and an existing session. */
async function nameSignIns(world: World, names: Names, { username, token }: Person): Promise<void> {
  const { code } = await world.operator.admin.createSignInLink({ user: username }, specCall());
  names.openly('c4ca4238a0b923820dcc509a6f75849b2c4d7e91', token);
  names.openly('9e107d9d372bb6826bd81d3542a419d6f1a3c5e7', code);
  const headers = { origin: shownBaseUrl };
  checked(await world.nobody.post('/auth/sign-in/token', { json: { token }, headers }), 204);
  const { id } = await world.database.one(sql<{ id: number }>`
    select max(session.id) as id from access_token session
      join account on account.id = session.account_id
     where session.kind = 'session' and account.name = ${username}`);
  names.ids(66, [id]);
  names.openly('b6589fc6ab0dc82cf12099d1c2d40ab994e8410c', await linkByMail(world, 'mail', username));
  names.openly('356a192b7913b04c54574d18c28d46e6395428ab', await linkByMail(world, 'sign-up', names.text('finn')));
}

/** The code of a link as a mail would contain it, for the browser of the examples. */
async function linkByMail(world: World, kind: 'mail' | 'sign-up', username: string): Promise<string> {
  const code = randomBytes(20).toString('hex');
  const browser = keptBrowser(world, shownBrowser);
  await world.database.execute(sql`
    with request as (
      insert into sign_in_request (kind, email, browser, username)
      values (${kind}, ${`${username}@example.org`}, ${browser}, ${kind === 'mail' ? '' : username}) returning id
    )
    insert into sign_in_code (kind, hash, account_id, request_id, expires_at)
    select ${kind}, ${keptCode(world, kind, code, browser)}::bytea,
           (select id from account where name = ${username}), request.id, now() + interval '1 day'
      from request`);
  return code;
}

/** A person of the examples. The existence of a user is not a secret (open-points 1.10). */
export async function personOf(world: World, names: Names, shown: string): Promise<Person> {
  const person = await world.person(names.text(shown));
  names.openly(shown, person.username);
  return person;
}

/** A standalone organization that can be claimed, as a marketplace registers it. */
export async function nameClaim({ platform }: World, names: Names, shown: string, fullName: string): Promise<void> {
  await using claims = await claimsOf(platform);
  const [claimId, username] = [names.text(shown), names.text(fullName.toLowerCase())];
  await claims.putClaim({ claimId, username, fullName, claimable: true }, specCall());
  names.openly(shown, claimId);
}
