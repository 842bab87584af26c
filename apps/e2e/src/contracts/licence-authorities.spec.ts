import { createHash, randomUUID, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LicenseAuthorityServiceService } from '@platform/proto/contracts/v1/license_authority';
import { sql } from '@platform/postgres';
import { createSealer, Secret } from '@platform/service';
import {
  openFgaStore, ownBus, rpcClient, startService, tcpProxy, type TcpProxy, testSecret, verifyInField,
} from '@platform/testing';
import { openAuthority } from '@platform/tls';
import { specCall } from '../operator.ts';
import { adminCommand } from '../operator-command.ts';
import { type Organization, outcome, type Person } from '../orgs/world.ts';
import { type ContractWorld, issue, ok, pemOf, type ShownLicence, startAcme } from './contract-world.ts';

let world: ContractWorld, engine: TcpProxy, bus: Awaited<ReturnType<typeof ownBus>>;
let owner: Person;
let acme: Organization;
const key = testSecret();

beforeAll(async () => {
  engine = await tcpProxy((await openFgaStore()).url);
  bus = await ownBus();
  ({ world, owner, acme } = await startAcme({ settings: {
    ...bus.settings, 'openfga.url': `http://${engine.address}`, 'license.keyType': 'rsa', 'license.trial': 'off',
    'secrets.encryptionKeys': key,
  } }));
}, 120_000);
afterAll(async () => world[Symbol.asyncDispose]());

/** A contract of the organization with a cluster, and functions that request and register a licence of it. */
async function licensable() {
  const { cluster, cc, contract } = await world.bound(acme.id, { products: ['productdb'], allowOffline: true });
  return {
    cluster,
    issue: () => issue(owner.http, { cluster }),
    issueOffline: (http: Person['http']) =>
      http.post(`/api/v1/user/contracts/${contract.id}/clusters/${cc}/issue-license?org=acme`),
    register: (license: string) =>
      world.nobody.post('/api/v1/register', { json: { clusterUID: cluster, features: 'productdb', license } }),
  };
}

const authorities = () =>
  rpcClient(LicenseAuthorityServiceService, world.platform.services['contracts-licensing'], world.platform);

describe('with license.keyType rsa', () => {
  it('authority and licences have RSA keys, which verifiers in the field accept', async () => {
    const { cluster, issue, register } = await licensable();
    const licence = ok<ShownLicence>(await issue());
    const [certificate, authority] = [new X509Certificate(pemOf(licence)), await world.authority()];
    expect(certificate.publicKey.asymmetricKeyType).toBe('rsa');
    expect(certificate.publicKey.asymmetricKeyDetails).toMatchObject({ modulusLength: 2048 });
    expect(new X509Certificate(authority).publicKey.asymmetricKeyType).toBe('rsa');
    expect(verifyInField(pemOf(licence), authority, cluster, new Date())).toMatchObject({ clusterId: cluster });
    expect((await register(licence.license)).status).toBe(200);
  });
});

describe('with license.trial off', () => {
  it('a cluster without contract gets no licence', async () => {
    const cluster = randomUUID();
    await world.imported(owner.id, cluster);
    expect(outcome(await issue(owner.http, { cluster }, ''))).toBe('405 no_active_contract');
  });
});

describe('while the authorization engine and the bus are away', () => {
  it('licences are issued, online and offline, to tokens that were never used before', async () => {
    const { cluster, issueOffline } = await licensable();
    const { cluster: mine } = await world.bound(owner.id);
    await Promise.all([engine.refuse(), bus.proxy.refuse()]);
    const installer = world.as(await world.operator.systemAdminToken('acme'));
    const online = ok<ShownLicence>(await issue(installer, { cluster }, ''));
    const own = ok<ShownLicence>(await issue(owner.http, { cluster: mine }, ''));
    const certificate = await world.authority();
    for (const [licence, uid] of [[online, cluster], [own, mine]] as const) {
      expect(verifyInField(pemOf(licence), certificate, uid, new Date()).clusterId).toBe(uid);
    }
    expect((await issueOffline(installer)).status).toBe(200);
    await Promise.all([engine.release(), bus.proxy.release()]);
  });
});

describe('license-ca', () => {
  it('adds, uses and removes authorities, two at most, never the one that signs', async () => {
    await using admin = await authorities();
    const list = async () => (await admin.listAuthorities({}, specCall())).authorities;
    const { issue, register } = await licensable();
    const before = ok<ShownLicence>(await issue());
    const [old] = await list();
    const { fingerprint } = await admin.addAuthority({}, specCall());
    expect((await list()).map((one) => [one.fingerprint, one.signs])).toEqual([[old!.fingerprint, true], [fingerprint, false]]);
    for (const { fingerprint: shown, pem, notBefore, notAfter } of await list()) {
      const { raw, validFromDate, validToDate } = new X509Certificate(pem);
      expect(pem).not.toContain('PRIVATE');
      expect(shown).toBe(createHash('sha256').update(raw).digest('hex'));
      expect([notBefore, notAfter]).toEqual([validFromDate, validToDate].map((time) => time.getTime() / 1000));
    }
    await expect(admin.addAuthority({}, specCall())).rejects.toMatchObject({ reason: 'TOO_MANY_ITEMS' });
    await expect(admin.removeAuthority({ fingerprint: old!.fingerprint }, specCall())).rejects.toMatchObject({ reason: 'INVALID_VALUE' });
    await expect(admin.useAuthority({ fingerprint: '00'.repeat(32) }, specCall())).rejects.toMatchObject({ reason: 'NOT_FOUND' });

    await admin.useAuthority({ fingerprint }, specCall());
    const after = ok<ShownLicence>(await issue());
    for (const { license } of [before, after]) expect((await register(license)).status).toBe(200);
    await admin.removeAuthority({ fingerprint: old!.fingerprint }, specCall());
    expect(outcome(await register(before.license))).toBe('422 invalid_license');
    expect((await register(after.license)).status).toBe(200);
    expect(await list()).toMatchObject([{ fingerprint, signs: true }]);
  });

  it.each<[string, () => string | Promise<string>]>([
    ['a text', () => 'nothing'],
    ['an invalid certificate', () => '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
    ['a licence, which is the certificate of no authority', async () => pemOf(ok(await (await licensable()).issue()))],
  ])('refuses %s', async (_what, made) => {
    await using admin = await authorities();
    const pem = await made();
    await expect(admin.addAuthority({ pem }, specCall())).rejects.toMatchObject({ reason: 'INVALID_VALUE' });
  });
});

it('authorities are listed for site admins as for the operator (open-points 18.5)', async () => {
  const path = '/api/v1/admin/license-cas';
  expect(ok(await world.siteAdmin.http.get(path))).toEqual((await admin(['license-ca', 'list'])).answer);
  expect(outcome(await owner.http.get(path))).toBe('403 forbidden');
});

/** Calls `platform admin …` as the operator; `addresses` replaces those of contracts-licensing. */
const admin = (argv: readonly string[], addresses = world.platform.grpc['contracts-licensing']) =>
  adminCommand(world.platform, argv, { PLATFORM_SERVICES_CONTRACTS_LICENSING: addresses });

it('platform admin license-ca lists, adds from a file, uses and removes', async () => {
  const ca = (...argv: string[]) => admin(['license-ca', ...argv]);
  const folder = await mkdtemp(join(tmpdir(), 'platform-ca-'));
  const own = await openAuthority(folder);
  const files = await own.issue({ role: 'service', name: 'not-an-authority', hosts: [] });
  const { cas: [old] } = (await ca('list')).answer as { cas: { fingerprint: string; signs: boolean; pem: string }[] };
  expect(old).toMatchObject({ signs: true, notBefore: expect.any(Number), notAfter: expect.any(Number) });
  const refused = await ca('add', '--file', files.certificate);
  expect(refused).toEqual({ code: 1, answer: '', stderr: expect.stringMatching(/not a certificate authority/) });
  expect((await ca('add', '--file', join(folder, 'none.pem'))).code).toBe(1);
  // Without `--file` the command would make a second authority, so it must not treat an empty file as a missing one.
  await writeFile(join(folder, 'empty.pem'), '');
  expect(await ca('add', '--file', join(folder, 'empty.pem'))).toMatchObject({ code: 1, answer: '' });
  const { answer: added } = await ca('add') as { answer: { fingerprint: string } };
  expect(await ca('use', added.fingerprint)).toMatchObject({ code: 0, answer: added });
  expect((await ca('remove', added.fingerprint)).code).toBe(1);
  expect(await ca('remove', old!.fingerprint)).toMatchObject({ code: 0, answer: { fingerprint: old!.fingerprint } });
  expect((await ca('list')).answer).toMatchObject({ cas: [{ ...added, signs: true }] });
  expect((await ca('use')).code).toBe(2);
  await rm(folder, { recursive: true });
}, 120_000);

describe('the key of the authority', () => {
  it('is sealed again by platform admin keys rotate, and opened by the new key alone', async () => {
    const newer = testSecret();
    const { replicas } = world.platform.services['contracts-licensing'];
    const sealedBy = async () => (await world.rows.one(sql<{ keyId: string }>`
      select sealed_by as "keyId" from license_authority where signs`)).keyId;
    const idOf = (secret: string) => createSealer([new Secret(secret)]).keyId;
    await using other = await startService('contracts-licensing', {
      ...world.platform.settings['contracts-licensing'], 'secrets.encryptionKeys': `${newer},${key}`,
    });
    const rotate = () => admin(['keys', 'rotate'], other.addressList('grpc'));
    expect(await sealedBy()).toBe(idOf(key));
    expect(await rotate()).toMatchObject({ code: 0, answer: { resealed: 1, unreadable: 0 } });
    expect(await rotate()).toMatchObject({ code: 0, answer: { resealed: 0, unreadable: 0 } });
    expect(await sealedBy()).toBe(idOf(newer));
    // This replica has only the older key. It keeps the authorities that it has decrypted; after a restart it cannot
    // decrypt them.
    const { issue } = await licensable();
    await replicas[0].restart();
    expect(outcome(await issue())).toBe('500 issuer_unavailable');
    await world.rows.execute(sql`update license_authority set signs = false`);
    expect(outcome(await issue())).toBe('500 issuer_unavailable');
  });
});
