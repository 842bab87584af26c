import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readExamples } from '@platform/proto/examples';
import { readImage } from '@platform/proto/image';
import { sql } from '@platform/postgres';
import { readSurface } from '@platform/surface';
import type { HttpAnswer, HttpClient } from '@platform/testing';
import sharp from 'sharp';
import { requestOf } from '../examples/call-example.ts';
import { specCall } from '../operator.ts';
import { formBody, pictureForm } from './form-body.ts';
import { type Organization, type Person, startAcme, type World } from './world.ts';

// The table of open-points 3.6, line by line.

const examples = await readExamples();
const ofOrganizations = readSurface(await readImage()).methods
  .filter(({ http }) => http?.template.startsWith('/api/v1/orgs/{orgname}'));

let world: World, owner: Person, member: Person, outsider: Person;
let acme: Organization, hidden: Organization;
beforeAll(async () => {
  ({ world, owner, member, outsider, acme } = await startAcme());
  hidden = await world.organization(outsider, { username: 'hidden', visibility: 'private' });
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

/** Expects all of these concurrent calls to have the same status. */
async function all(status: number, answers: readonly Promise<HttpAnswer>[]): Promise<void> {
  expect((await Promise.all(answers)).map((answer) => answer.status)).toEqual(answers.map(() => status));
}
const orgs = '/api/v1/orgs';
const path = `${orgs}/acme`;
const nowhere = 999_999;

describe('any /orgs/{orgname}/…', () => {
  const cases = ofOrganizations.map((method) => [method.fullName, method] as const);
  it.each(cases)('%s: 404 when missing or not visible', async (name, method) => {
    const example = examples.get(name)!;
    for (const orgname of ['nowhere', 'hidden', member.username]) {
      const given = { ...example, parameters: { ...example.parameters, orgname } };
      const { verb, target, options } = await requestOf(method, given, new Map());
      expect([orgname, (await owner.http.send(verb, target, options)).status]).toEqual([orgname, 404]);
    }
  });
});

describe('POST, PATCH /orgs', () => {
  it('422: bad visibility, orgType, website, length', async () => {
    const wrong = [
      { visibility: 'open' }, { orgType: 'secret' }, { website: 'no address' }, { full_name: 'x'.repeat(101) },
      { description: 'x'.repeat(256) },
    ];
    await all(422, wrong.flatMap((json) => [
      owner.http.post(orgs, { json: { username: 'fresh', ...json } }), owner.http.patch(path, { json }),
    ]));
  });

  it('409: name taken, in any case, by anybody; 422: malformed, reserved, missing', async () => {
    await all(409, ['ACME', 'owner', 'hidden'].map((username) => owner.http.post(orgs, { json: { username } })));
    await all(422, [...['a b', '-a', 'a..b', 'x'.repeat(41), 'admin', 'org-7-system', '']
      .map((username) => owner.http.post(orgs, { json: { username } })), owner.http.post(orgs, { json: {} })]);
  });
});

it('PATCH /orgs/claim/{claimID}: 403 for a caller who may not create organizations', async () => {
  const robot = world.as(await world.operator.systemAdminToken('acme'));
  await world.database.execute(sql`update account set allow_create_organization = false where id = ${member.id}`);
  await all(403, [robot, member.http].map((http) => http.patch(`${orgs}/claim/${'A'.repeat(26)}`)));
});

it('POST avatar: 422 no picture, no image, too many pixels; 415 not multipart; 413 too big', async () => {
  const wide = await sharp({ create: { width: 4_097, height: 1, channels: 3, background: 'red' } }).png().toBuffer();
  const at = `${path}/avatar/`;
  await all(422, [
    owner.http.post(at, formBody([{ name: 'source', content: 'local' }])),
    owner.http.post(at, pictureForm(Buffer.from('no image'))), owner.http.post(at, pictureForm(wide)),
  ]);
  await all(415, [owner.http.post(at, { json: { source: 'local' } })]);
  await all(413, [owner.http.post(at, pictureForm(Buffer.alloc(1024 * 1024 + 1)))]);
});

it('members/action/{action}: 400 unknown action, 403 not allowed, 404 uid no member, 403 last owner', async () => {
  const act = ({ http }: Person, action: string, uid: number) =>
    http.post(`${path}/members/action/${action}?uid=${uid}`);
  await all(400, [act(owner, 'destroy', member.id)]);
  await all(403, [act(member, 'remove', owner.id), act(owner, 'leave', owner.id), act(owner, 'remove', owner.id)]);
  await all(404, ['private', 'public', 'remove'].flatMap((action) =>
    [nowhere, outsider.id].map((uid) => act(owner, action, uid))));
});

it('DELETE members/{username}: 404 no member, 403 last owner, 403 site admin of the administration', async () => {
  await all(404, ['outsider', 'nobody-here', 'hidden'].map((name) => owner.http.delete(`${path}/members/${name}`)));
  await all(403, [
    owner.http.delete(`${path}/members/owner`),
    world.siteAdmin.http.delete(`${orgs}/administration/members/platform-admin`),
  ]);
});

it('PUT, DELETE public_members/{username}: 403 caller no member, 403 another name, existing or not', async () => {
  const at = (name: string) => `${path}/public_members/${name}`;
  await all(403, [
    outsider.http.put(at('outsider')), outsider.http.delete(at('outsider')),
    ...['owner', 'nobody-here'].flatMap((name) => [member.http.put(at(name)), member.http.delete(at(name))]),
  ]);
});

it('tokens: 404 for an access token, 400 for a message-bus token, unknown or of others', async () => {
  const { admin } = world.operator;
  const make = (user: string, organization: string) =>
    admin.createToken({ user, organization, name: 'spec', expiresInSeconds: 0 }, specCall());
  const ids = [nowhere, (await make('owner', '')).id, (await make('', 'hidden')).id];
  await all(404, ids.map((id) => owner.http.delete(`${path}/tokens/access-tokens/${id}`)));
  await all(400, [owner.http.post(`${path}/tokens/bus-tokens/${nowhere}/revoke`)]);
});

describe('teams', () => {
  const teams = `${path}/teams`;

  it('POST: 409 name taken, 400 malformed or reserved, 422 missing name or type, bad permission', async () => {
    const post = (json: object) => owner.http.post(teams, { json: { name: 'Fresh', type: 'kubernetes', ...json } });
    await all(409, [post({ name: 'viewers' })]);
    await all(400, [post({ name: 'a/b' }), post({ name: 'new' })]);
    await all(422, [post({ permission: 'all' }), post({ type: undefined }), post({ name: undefined })]);
  });

  it('PATCH: 409 name taken, 422 bad permission or missing name', async () => {
    const patch = (json: object) => owner.http.patch(`/api/v1/teams/${acme.teams.Viewers}`, { json });
    await all(409, [patch({ name: 'EDITORS' })]);
    await all(422, [patch({ name: 'Viewers', permission: 'all' }), patch({ permission: 'read' })]);
  });

  it('action/{action}: 400 unknown action, 404 team of others or missing, 404 unknown uid', async () => {
    const act = (team: number, action: string, uid: number) =>
      owner.http.post(`${teams}/${team}/action/${action}?uid=${uid}`);
    await all(400, [act(acme.teams.Viewers, 'kick', member.id), act(acme.teams.Viewers, 'add', acme.id)]);
    for (const action of ['join', 'leave', 'add', 'remove']) {
      await all(404, [hidden.teams.Viewers, nowhere].map((team) => act(team, action, owner.id)));
    }
    for (const action of ['add', 'remove']) {
      await all(404, [nowhere, hidden.id, acme.systemAdminId].map((uid) => act(acme.teams.Viewers, action, uid)));
    }
  });

  it('all /teams/{teamid}…: 404 missing, or caller no member of its organization', async () => {
    const calls = (http: HttpClient, id: number) => {
      const [at, one] = [`/api/v1/teams/${id}`, `/api/v1/teams/${id}/members/owner`];
      return [
        http.get(at), http.patch(at, { json: { name: 'X' } }), http.delete(at), http.get(`${at}/members`),
        http.get(one), http.put(one), http.delete(one),
      ];
    };
    await all(404, calls(owner.http, nowhere));
    await all(404, calls(outsider.http, acme.teams.Viewers));
    await all(404, calls(owner.http, hidden.teams.Viewers));
  });

  it('members/{username}: 404 not in the team; PUT 404 no such user, a hidden organization, 400 a visible one', async () => {
    const at = (name: string) => `/api/v1/teams/${acme.teams.Viewers}/members/${name}`;
    const names = ['outsider', 'nobody-here', 'acme', 'hidden'];
    await all(404, names.flatMap((name) => [owner.http.get(at(name)), owner.http.delete(at(name))]));
    await all(404, ['nobody-here', 'hidden', acme.systemAdminName].map((name) => owner.http.put(at(name))));
    await all(400, [owner.http.put(at('acme'))]);
  });

  it('DELETE members/{username}: 403 last owner, protected site admin', async () => {
    const { id } = await world.database.one(sql<{ id: number }>`
      select team.id from team join organization on organization.id = organization_id where org_type = 6 and is_owners`);
    await all(403, [
      owner.http.delete(`/api/v1/teams/${acme.teams.Owners}/members/owner`),
      world.siteAdmin.http.delete(`/api/v1/teams/${id}/members/platform-admin`),
    ]);
  });
});
