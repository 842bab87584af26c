import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ownBus } from '@platform/testing';
import { adminCommand } from '../operator-command.ts';
import { startTokenWorld, type TokenWorld } from '../orgs/token-world.ts';
import { organizationHosts } from '../platform.ts';

let world: TokenWorld;
beforeAll(async () => {
  world = await startTokenWorld({ hosts: organizationHosts, settings: (await ownBus()).settings });
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

/** Returns the JSON output of a command. */
async function admin<Answer>(...argv: string[]): Promise<Answer> {
  const { code, answer, stderr } = await adminCommand(world.platform, argv);
  if (code !== 0) throw new Error(stderr);
  return answer as Answer;
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

describe('the operator lists and shows', () => {
  it('users', async () => {
    const owner = {
      id: world.ids.owner, username: 'owner', email: expect.stringContaining('@'), fullName: '', admin: false, active: true,
      prohibitLogin: false, mayCreateOrganization: true, organizations: ['acme'], issuers: [], createdAt: time,
    };
    expect(await admin('user', 'list', '--query', 'OWN')).toEqual({ users: [owner] });
    expect(await admin('user', 'show', 'Owner')).toEqual(owner);
    const admins = await admin<{ users: { username: string }[] }>('user', 'list', '--admin', 'true');
    expect(admins.users.map(({ username }) => username)).toEqual(['platform-admin']);
    expect(await admin('user', 'list', '--active', 'false')).toEqual({ users: [] });
  });

  it('organizations', async () => {
    const acme = {
      id: world.organizations.acme, name: 'acme', fullName: '', visibility: 'private', owners: ['owner'], members: 3,
      teams: 3, createdAt: time,
    };
    expect(await admin('org', 'list', '--query', 'ac')).toEqual({ organizations: [acme] });
    expect(await admin('org', 'show', 'ACME')).toEqual(acme);
    const { organizations } = await admin<{ organizations: { name: string }[] }>('org', 'list');
    expect(organizations.map(({ name }) => name)).toEqual(['administration', 'acme', 'other']);
  });

  it('tokens, without their values', async () => {
    const made = await admin<{ id: number; token: string }>(
      'token', 'create', '--user', 'stranger', '--name', 'narrow', '--scopes', 'read:contract,write:cluster', '--expires', '1d',
    );
    const narrow = {
      id: made.id, account: 'stranger', organization: false, name: 'narrow', lastEight: made.token.slice(-8), madeFor: '',
      scopes: ['read:contract', 'write:cluster'], createdAt: time, expiresAt: time,
    };
    expect(await admin('token', 'show', String(made.id))).toEqual(narrow);
    const { tokens } = await admin<{ tokens: object[] }>('token', 'list', '--user', 'stranger');
    expect(tokens).toHaveLength(2);
    expect(tokens).toContainEqual(narrow);
    const ofAcme = await admin<{ tokens: object[] }>('token', 'list', '--org', 'acme');
    expect(ofAcme.tokens).toMatchObject([{ account: 'acme', organization: true, scopes: ['all'] }]);
    const all = await admin<{ tokens: { id: number }[] }>('token', 'list');
    expect(all.tokens.map(({ id }) => id)).toContain(made.id);
    expect(JSON.stringify(all)).not.toContain(made.token);
  });

  it('accounts at the bus, without their credentials', async () => {
    const [clusterUid, product] = [randomUUID(), 'productdb-enterprise'];
    const made = await admin<{ id: number; busPubKey: string }>(
      'bus-account', 'create', '--org', 'acme', '--cluster-uid', clusterUid, '--product', product,
    );
    const { id, busPubKey } = made;
    const account = { id, organization: 'acme', clusterUid, productName: product, busPubKey, createdAt: time };
    expect(await admin('bus-account', 'list')).toEqual({ accounts: [account] });
    expect(await admin('bus-account', 'list', '--org', 'other')).toEqual({ accounts: [] });
    expect(await admin('bus-account', 'show', String(made.id))).toEqual(account);
  });

  it('what was changed', async () => {
    const { entries } = await admin<{ entries: { id: number; action: string }[] }>('audit', '--limit', '1');
    expect(await admin('audit', 'list', '--limit', '1')).toEqual({ entries });
    expect(await admin('audit', 'show', String(entries[0]!.id))).toEqual(entries[0]);
  });

  it('nothing in place of what is not there', async () => {
    const refused = [
      ['user', 'show', 'nobody'], ['org', 'show', 'nowhere'], ['token', 'show', '999999'], ['bus-account', 'show', '999999'],
      ['audit', 'show', '999999'], ['token', 'list', '--user', 'nobody'], ['token', 'list', '--org', 'nowhere'],
      ['bus-account', 'list', '--org', 'nowhere'],
    ];
    const found = await Promise.all(refused.map(async (argv) => {
      const { code, answer, stderr } = await adminCommand(world.platform, argv);
      return [...argv, code, answer, stderr.includes('there is no ')];
    }));
    expect(found).toEqual(refused.map((argv) => [...argv, 1, '', true]));
    const scopes = ['token', 'create', '--user', 'stranger', '--name', 'x', '--scopes', 'read:nothing'];
    expect((await adminCommand(world.platform, scopes)).stderr).toContain('VALIDATION_FAILED');
  });
});
