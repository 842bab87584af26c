import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { framed, grpcWire } from '../attacks/costly/grpc-wire.ts';
import { inChunks } from '../attacks/costly/in-chunks.ts';
import { delimited } from '../surface/wire-bytes.ts';
import { specCall } from '../operator.ts';
import { organizationHosts } from '../platform.ts';
import { startWorld, type World } from './world.ts';

/** Number of requests that an account may make at once; few are refilled during the test. */
const burst = 400;
const mebibyte = 1024 * 1024;
const json = { location: 'here', unknown: 'a'.repeat(mebibyte) };
/** A body of 1 MiB counts as 64 requests. The last body is accepted because some requests are left. */
const accepted = [7, 8, 9];

let world: World;
beforeAll(async () => {
  world = await startWorld({
    hosts: [...organizationHosts, 'contracts-licensing'],
    settings: { 'rateLimit.enabled': 'true', 'rateLimit.accountBurst': `${burst}`, 'rateLimit.accountPerSecond': '1' },
  });
});
afterAll(async () => world?.[Symbol.asyncDispose]());

/** Sends until a request is refused. Returns the number of accepted requests. */
async function sentUntil(refusal: string, send: () => Promise<string>): Promise<number> {
  for (let sent = 0; sent < burst; sent += 1) if ((await send()) === refusal) return sent;
  return burst;
}

/** The owner of an organization, with its name and path. */
async function created() {
  const owner = await world.person();
  const { username: name } = await world.organization(owner);
  return { ...owner, name, path: `/api/v1/orgs/${name}` };
}

describe('a large body counts as one request for each 16 KiB (open-points 1.9)', () => {
  test('of known length', async () => {
    const { http, path } = await created();
    expect(accepted).toContain(await sentUntil('429', async () => String((await http.patch(path, { json })).status)));
    const refused = await http.get(path);
    expect([refused.status, refused.header('ratelimit-policy')]).toEqual([429, expect.stringContaining('"account"')]);
    const other = await created();
    expect((await other.http.get(other.path)).status).toBe(200);
  });

  test('of unknown length', async () => {
    const { http, token, path } = await created();
    const head = `PATCH ${path} HTTP/1.1\r\nHost: platform\r\nAuthorization: token ${token}\r\n`
      + 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const request = Buffer.concat([Buffer.from(head), inChunks(Buffer.from(JSON.stringify(json)), 16)]);
    expect(accepted).toContain(await sentUntil('429', async () => String((await http.exchange(request))[0]!.status)));
  });

  test('a small one counts as one', async () => {
    const { http, path } = await created();
    const request = { json: { location: 'here' } };
    const sent = await sentUntil('429', async () => String((await http.patch(path, request)).status));
    expect(sent).toBeGreaterThan(burst / 2);
  });

  test('over gRPC', async () => {
    const { token, name } = await created();
    using wire = grpcWire(world.platform.grpc['orgs-teams']);
    const unknownField = delimited(1_000, Buffer.alloc(mebibyte, 'a'));
    const request = framed(Buffer.concat([delimited(1, Buffer.from(name)), unknownField]));
    const headers = { authorization: `Bearer ${token}` };
    const path = '/controlplane.orgs.v1.OrganizationService/UpdateOrganization';
    expect(accepted).toContain(await sentUntil('grpc 8', () => wire.call(path, headers, request)));
  });

  test('a batch, beside its bytes, as one for each 20 values, however it is written', async () => {
    const objects = Array.from({ length: 1_000 }, () => ({ objectType: 'contract', objectID: 1 }));
    const small = JSON.stringify(objects);
    for (const body of [small, `${' '.repeat(70_000)}${small}`]) {
      const { http, name: org } = await created();
      const request = { headers: { 'content-type': 'application/json' }, body };
      const path = `/api/v1/authz/objects/allowed-permissions?org=${org}`;
      // The body has 3,000 values: the objects and their fields.
      expect([2, 3]).toContain(await sentUntil('429', async () => String((await http.post(path, request)).status)));
    }
    const { token, name } = await created();
    using wire = grpcWire(world.platform.grpc.authz);
    const one = delimited(2, Buffer.concat([delimited(1, Buffer.from('contract')), Buffer.from([0x10, 1])]));
    const request = framed(Buffer.concat([delimited(1, Buffer.from(name)), ...Array.from({ length: 1_000 }, () => one)]));
    const service = '/controlplane.authz.v1.AuthorizationService/ListAllowedPermissions';
    const headers = { authorization: `Bearer ${token}` };
    expect([2, 3]).toContain(await sentUntil('grpc 8', () => wire.call(service, headers, request)));
  });

  test('a stream over gRPC, as the largest', async () => {
    const admin = await world.person(undefined, { admin: true });
    const { name } = await created();
    using wire = grpcWire(world.platform.grpc['contracts-licensing']);
    const first = [delimited(1, Buffer.from(name)), delimited(2, Buffer.from('a.pdf')), delimited(4, Buffer.from('a'))];
    const request = Buffer.concat([framed(Buffer.concat(first)), framed(delimited(4, Buffer.alloc(64 * 1024, 'a')))]);
    const headers = { authorization: `Bearer ${admin.token}` };
    const upload = () => wire.call('/controlplane.contracts.v1.ContractService/UploadNewDocument', headers, request);
    expect([await upload(), await upload()]).toEqual(['grpc 0', 'grpc 8']);
  });

  test('one that will not be read counts as one', async () => {
    const { http, token, path } = await created();
    const head = `PATCH ${path} HTTP/1.1\r\nHost: platform\r\nAuthorization: token ${token}\r\n`
      + 'Content-Type: application/json\r\nContent-Length: 99999999999999\r\n\r\n';
    for (let times = 0; times < 3; times += 1) expect((await http.exchange(head))[0]!.status).toBe(413);
    expect((await http.get(path)).status).toBe(200);
  });

  test('an account that may not sign in has no body read', async () => {
    const { http, username, path } = await created();
    await world.operator.admin.updateUser({ username, prohibitLogin: true }, specCall());
    const answer = await http.patch(path, { json });
    expect([answer.status, answer.header('connection')]).toEqual([403, 'close']);
  });
});
