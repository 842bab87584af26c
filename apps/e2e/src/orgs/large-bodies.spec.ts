import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { framed, grpcWire } from '../attacks/costly/grpc-wire.ts';
import { inChunks } from '../attacks/costly/in-chunks.ts';
import { delimited } from '../surface/wire-bytes.ts';
import { specCall } from '../operator.ts';
import { organizationHosts } from '../platform.ts';
import { type Person, startWorld, type World } from './world.ts';

/** Number of requests that an account may make at once; few are refilled during the test. */
const burst = 400;
const mebibyte = 1024 * 1024;
/** A body of 1 MiB counts as 64 requests. The last body is accepted because some requests are left. */
const [fewest, most] = [7, 9];

let world: World;
beforeAll(async () => {
  world = await startWorld({
    hosts: [...organizationHosts, 'contracts-licensing'],
    settings: { 'rateLimit.enabled': 'true', 'rateLimit.accountBurst': `${burst}`, 'rateLimit.accountPerSecond': '1' },
  });
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
});

/** Sends until a request is refused. Returns the number of accepted requests. */
async function sentUntil(refusal: string, send: () => Promise<string>): Promise<number> {
  for (let sent = 0; sent < burst; sent += 1) {
    if ((await send()) === refusal) return sent;
  }
  return burst;
}

const created = async (): Promise<[Person, string]> => {
  const owner = await world.person();
  return [owner, (await world.organization(owner)).username];
};

describe('a large body counts as one request for each 16 KiB (open-points 1.9)', () => {
  test('of known length', async () => {
    const [owner, name] = await created();
    const json = { location: 'here', unknown: 'a'.repeat(mebibyte) };
    const path = `/api/v1/orgs/${name}`;
    const sent = await sentUntil('429', async () => String((await owner.http.patch(path, { json })).status));
    expect(sent).toBeGreaterThanOrEqual(fewest);
    expect(sent).toBeLessThanOrEqual(most);
    const refused = await owner.http.get(path);
    expect([refused.status, refused.header('ratelimit-policy')]).toEqual([429, expect.stringContaining('"account"')]);
    const [other, itsOwn] = await created();
    expect((await other.http.get(`/api/v1/orgs/${itsOwn}`)).status).toBe(200);
  });

  test('of unknown length', async () => {
    const [{ http, token }, name] = await created();
    const body = inChunks(Buffer.from(JSON.stringify({ location: 'here', unknown: 'a'.repeat(mebibyte) })), 16);
    const head = `PATCH /api/v1/orgs/${name} HTTP/1.1\r\nHost: platform\r\nAuthorization: token ${token}\r\n`
      + 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const request = Buffer.concat([Buffer.from(head), body]);
    const sent = await sentUntil('429', async () => String((await http.exchange(request))[0]!.status));
    expect(sent).toBeGreaterThanOrEqual(fewest);
    expect(sent).toBeLessThanOrEqual(most);
  });

  test('a small one counts as one', async () => {
    const [{ http }, name] = await created();
    const path = `/api/v1/orgs/${name}`;
    const json = { location: 'here' };
    const sent = await sentUntil('429', async () => String((await http.patch(path, { json })).status));
    expect(sent).toBeGreaterThan(burst / 2);
  });

  test('over gRPC', async () => {
    const [{ token }, name] = await created();
    using wire = grpcWire(world.platform.grpc['orgs-teams']);
    const unknownField = delimited(1_000, Buffer.alloc(mebibyte, 'a'));
    const request = framed(Buffer.concat([delimited(1, Buffer.from(name)), unknownField]));
    const headers = { authorization: `Bearer ${token}` };
    const path = '/controlplane.orgs.v1.OrganizationService/UpdateOrganization';
    const sent = await sentUntil('grpc 8', () => wire.call(path, headers, request));
    expect(sent).toBeGreaterThanOrEqual(fewest);
    expect(sent).toBeLessThanOrEqual(most);
  });

  test('a batch, beside its bytes, as one for each 20 values, however it is written', async () => {
    const objects = Array.from({ length: 1_000 }, () => ({ objectType: 'contract', objectID: 1 }));
    const path = (name: string) => `/api/v1/authz/objects/allowed-permissions?org=${name}`;
    const small = JSON.stringify(objects);
    for (const body of [small, `${' '.repeat(70_000)}${small}`]) {
      const [{ http }, name] = await created();
      const headers = { 'content-type': 'application/json' };
      const sent = await sentUntil('429', async () => String((await http.post(path(name), { headers, body })).status));
      // The body has 3,000 values: the objects and their fields.
      expect(sent).toBeGreaterThanOrEqual(2);
      expect(sent).toBeLessThanOrEqual(3);
    }
    const [{ token }, name] = await created();
    using wire = grpcWire(world.platform.grpc.authz);
    const one = delimited(2, Buffer.concat([delimited(1, Buffer.from('contract')), Buffer.from([0x10, 1])]));
    const request = framed(Buffer.concat([delimited(1, Buffer.from(name)), ...Array.from({ length: 1_000 }, () => one)]));
    const service = '/controlplane.authz.v1.AuthorizationService/ListAllowedPermissions';
    const sent = await sentUntil('grpc 8', () => wire.call(service, { authorization: `Bearer ${token}` }, request));
    expect(sent).toBeGreaterThanOrEqual(2);
    expect(sent).toBeLessThanOrEqual(3);
  });

  test('a stream over gRPC, as the largest', async () => {
    const admin = await world.person(undefined, { admin: true });
    const [, name] = await created();
    using wire = grpcWire(world.platform.grpc['contracts-licensing']);
    const first = [delimited(1, Buffer.from(name)), delimited(2, Buffer.from('a.pdf')), delimited(4, Buffer.from('a'))];
    const piece = framed(delimited(4, Buffer.alloc(64 * 1024, 'a')));
    const upload = () => {
      const request = Buffer.concat([framed(Buffer.concat(first)), piece]);
      const headers = { authorization: `Bearer ${admin.token}` };
      return wire.call('/controlplane.contracts.v1.ContractService/UploadNewDocument', headers, request);
    };
    expect(await upload()).toBe('grpc 0');
    expect(await upload()).toBe('grpc 8');
  });

  test('one that will not be read counts as one', async () => {
    const [{ http, token }, name] = await created();
    const path = `/api/v1/orgs/${name}`;
    const head = `PATCH ${path} HTTP/1.1\r\nHost: platform\r\nAuthorization: token ${token}\r\n`
      + 'Content-Type: application/json\r\nContent-Length: 99999999999999\r\n\r\n';
    for (let times = 0; times < 3; times += 1) expect((await http.exchange(head))[0]!.status).toBe(413);
    expect((await http.get(path)).status).toBe(200);
  });

  test('an account that may not sign in has no body read', async () => {
    const [{ http, username }, name] = await created();
    await world.operator.admin.updateUser({ username, prohibitLogin: true }, specCall());
    const json = { location: 'here', unknown: 'a'.repeat(mebibyte) };
    const answer = await http.patch(`/api/v1/orgs/${name}`, { json });
    expect([answer.status, answer.header('connection')]).toEqual([403, 'close']);
  });
});
