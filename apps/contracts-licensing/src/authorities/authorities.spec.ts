import { KeyObject, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, connect, sql } from '@platform/postgres';
import { LicenseAuthorityServiceService } from '@platform/proto/contracts/v1/license_authority';
import type { RpcClient } from '@platform/rpc';
import {
  as, freePort, rpcClient, ServiceNotStarted, type ServiceSettings, startService, testDatabase, testSecret, until,
} from '@platform/testing';
import * as x509 from '@platform/tls/x509';
import { makeAuthority, trustedAuthority } from './authority.ts';
import { generateKeys } from './key-type.ts';

const serviceCredential = testSecret();
/** The address of services that do not run. */
const nowhere = `127.0.0.1:${await freePort()}`;
const common: ServiceSettings = {
  'run.mode': 'dev', 'secrets.serviceCredential': serviceCredential, 'secrets.encryptionKeys': testSecret(),
  'services.orgsTeams': nowhere, 'services.authz': nowhere,
};
let settings: ServiceSettings;
let database: Database;
let replicas: RpcClient<typeof LicenseAuthorityServiceService>[];
beforeAll(async () => {
  const rows = await testDatabase('contracts-licensing');
  settings = { ...common, ...rows.settings };
  const started = await Promise.all([1, 2].map(() => startService('contracts-licensing', settings)));
  replicas = await Promise.all(started.map((service) =>
    rpcClient(LicenseAuthorityServiceService, [service.addresses['grpc']!], { serviceCredential })));
  database = connect({ url: rows.url, schema: rows.schema, applicationName: 'spec' });
}, 120_000);
afterAll(async () => database?.[Symbol.asyncDispose]());

const call = () => as(undefined, 20_000);
const listed = async (replica = replicas[0]!) => (await replica.listAuthorities({}, call())).authorities;
const reason = (asked: Promise<unknown>) => asked.then(() => 'OK', (error: { reason: string }) => error.reason);

describe('authorities of licences', () => {
  it('begin with one that is made, the same for replicas that start at once', async () => {
    const [authority, ...others] = await listed();
    expect(others).toEqual([]);
    expect(await listed(replicas[1])).toEqual([authority]);
    const certificate = new X509Certificate(authority!.pem);
    expect(authority).toMatchObject({
      signs: true, fingerprint: trustedAuthority(authority!.pem).fingerprint,
      notAfter: Math.floor(certificate.validToDate.getTime() / 1000),
    });
  });

  it('never show a key, and keep it sealed', async () => {
    const rows = await database.query(sql<{ sealed: Buffer }>`select sealed_key as "sealed" from license_authority`);
    for (const { sealed } of rows) expect(sealed.toString('latin1')).not.toContain('PRIVATE KEY');
    expect(JSON.stringify(await listed())).not.toContain('PRIVATE KEY');
  });

  it('are two at most: a second one is trusted, signs, and takes the place of the first', async () => {
    const [first] = await listed();
    const { fingerprint } = await replicas[1]!.addAuthority({}, call());
    expect((await listed()).map(({ signs }) => signs)).toEqual([true, false]);
    expect(await reason(replicas[0]!.addAuthority({}, call()))).toBe('TOO_MANY_ITEMS');
    const remove = () => replicas[1]!.removeAuthority({ fingerprint: first!.fingerprint }, call());
    expect(await reason(remove())).toBe('INVALID_VALUE');
    await replicas[0]!.useAuthority({ fingerprint }, call());
    const signing = (await listed(replicas[1])).filter(({ signs }) => signs);
    expect(signing.map((one) => one.fingerprint)).toEqual([fingerprint]);
    await remove();
    expect((await listed()).map((one) => one.fingerprint)).toEqual([fingerprint]);
    for (const gone of [first!.fingerprint, 'unknown']) {
      expect(await reason(replicas[0]!.useAuthority({ fingerprint: gone }, call()))).toBe('NOT_FOUND');
      expect(await reason(replicas[0]!.removeAuthority({ fingerprint: gone }, call()))).toBe('NOT_FOUND');
    }
    // Calls that change nothing leave no entry in the audit.
    await replicas[0]!.useAuthority({ fingerprint }, call());
    await replicas[0]!.addAuthority({ pem: (await listed())[0]!.pem }, call());
    expect(await database.query(sql`select actor, action, object from audit order by id`)).toEqual([
      ['add', fingerprint], ['use', fingerprint], ['remove', first!.fingerprint],
    ].map(([what, of]) => (
      { actor: 'operator', action: `license_authority.${what}`, object: `license_authority:${of}` }
    )));
  });

  it('may be given: without a key one is trusted and cannot sign, until its key is given too', async () => {
    const given = await makeAuthority('rsa');
    const { fingerprint } = await replicas[0]!.addAuthority({ pem: given.certificate }, call());
    expect(await reason(replicas[0]!.useAuthority({ fingerprint }, call()))).toBe('INVALID_VALUE');
    await replicas[0]!.addAuthority({ pem: given.key! + given.certificate }, call());
    expect(await reason(replicas[0]!.useAuthority({ fingerprint }, call()))).toBe('OK');
    const [other] = (await listed()).filter(({ signs }) => !signs);
    await replicas[0]!.removeAuthority({ fingerprint: other!.fingerprint }, call());
    for (const pem of ['nonsense', '']) {
      expect(await reason(replicas[0]!.addAuthority({ pem }, call()))).toBe('INVALID_VALUE');
    }
  });

  it('may come from the setting license.ca, which does not undo later changes at the next start', async () => {
    const given = await makeAuthority('ecdsa');
    const { fingerprint } = trustedAuthority(given.certificate);
    const withSetting = { ...settings, 'license.ca': given.certificate + given.key };
    await (await startService('contracts-licensing', withSetting))[Symbol.asyncDispose]();
    expect((await listed()).filter(({ signs }) => signs).map((one) => one.fingerprint)).toEqual([fingerprint]);
    const [other] = (await listed()).filter(({ signs }) => !signs);
    await replicas[0]!.useAuthority({ fingerprint: other!.fingerprint }, call());
    await replicas[0]!.removeAuthority({ fingerprint }, call());
    await (await startService('contracts-licensing', withSetting))[Symbol.asyncDispose]();
    expect((await listed()).map((one) => one.fingerprint)).toEqual([other!.fingerprint]);
  }, 60_000);

  it('cannot be made to sign once they have expired', async () => {
    const keys = await generateKeys('ecdsa');
    const notAfter = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_000);
    const made = await x509.X509CertificateGenerator.createSelfSigned({
      name: 'CN=Ending', notBefore: new Date(Date.now() - 60_000), notAfter, keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      ],
    });
    const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }) as string;
    const { fingerprint } = await replicas[0]!.addAuthority({ pem: key + made.toString('pem') }, call());
    await until(() => new Date() > notAfter, { what: 'the authority expires', within: 10_000 });
    expect(await reason(replicas[0]!.useAuthority({ fingerprint }, call()))).toBe('INVALID_VALUE');
    await replicas[0]!.removeAuthority({ fingerprint }, call());
  });

  it('stop the start where license.ca cannot sign', async () => {
    const { certificate } = await makeAuthority('ecdsa');
    const refused = await startService('contracts-licensing', { ...settings, 'license.ca': certificate })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ServiceNotStarted);
    expect((refused as ServiceNotStarted).log.join()).toContain('license.ca');
  }, 60_000);
});
