import { describe, expect, it } from '@jest/globals';
import { makeAuthority, signingAuthority, trustedAuthority } from '../authorities/authority.ts';
import { generateKeys } from '../authorities/key-type.ts';
import { type LicenceTerms, newSerial, signLicence } from './certificate.ts';
import { LicenceRefused, verifyLicence } from './verify.ts';

const emailDomain = 'id.platform.dev';
const clusterId = '0b0d9cf2-51f3-4e7f-a8b1-0d7f2a1d6f10';
const authority = await makeAuthority('ecdsa');
const other = await makeAuthority('rsa');
const [trusted, otherTrusted] = [authority, other].map(({ certificate }) => trustedAuthority(certificate));
const now = new Date(Math.floor(Date.now() / 1000) * 1000);
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);

async function licence(changes: Partial<LicenceTerms> = {}, signer = authority): Promise<string> {
  const terms: LicenceTerms = {
    serial: newSerial(),
    clusterId,
    ownerId: 5,
    plan: { productLine: 'productdb', tier: 'enterprise', name: 'productdb-enterprise' },
    features: ['productdb', 'productdb-enterprise'],
    flags: {},
    notBefore: later(-600),
    notAfter: later(600),
    ...changes,
  };
  return signLicence(await signingAuthority(signer), terms, (await generateKeys('ecdsa')).publicKey, emailDomain);
}

function verified(pem: string, changes = {}) {
  const check = { trusted: [trusted!, otherTrusted!], clusterId, features: ['productdb'], emailDomain, now };
  return verifyLicence(pem, { ...check, ...changes });
}

describe('a licence', () => {
  it('says whose it is and for what', async () => {
    const serial = newSerial();
    expect(verified(await licence({ serial }))).toEqual({
      id: serial.toString(),
      ownerId: 5,
      plan: { productLine: 'productdb', tier: 'enterprise', name: 'productdb-enterprise' },
      features: ['productdb', 'productdb-enterprise'],
      notBefore: later(-600),
      notAfter: later(600),
    });
  });

  it('holds while one of the trusted authorities has signed it, and no longer when its signer is removed', async () => {
    const pem = await licence({}, other);
    expect(verified(pem).ownerId).toBe(5);
    expect(() => verified(pem, { trusted: [trusted] })).toThrow(LicenceRefused);
  });

  it('takes product line and tier from the name of the plan where they are empty', async () => {
    const plan = { productLine: '', tier: '', name: 'product-db-enterprise' };
    expect(verified(await licence({ plan })).plan).toEqual({ ...plan, productLine: 'product-db', tier: 'enterprise' });
  });

  it('is accepted in other line endings, which mail programs make', async () => {
    expect(verified((await licence()).replaceAll('\n', '\r\n')).ownerId).toBe(5);
  });

  it('is accepted after text for people, such as `openssl x509 -text` writes', async () => {
    const pem = await licence();
    const text = '\ufeffCertificate:\n    Data:\n        Version: 3 (0x2)\n    X509v3 - extensions\n';
    expect(verified(text + pem).ownerId).toBe(5);
    expect(() => verified(`${pem}${text}`)).toThrow(LicenceRefused);
    expect(() => verified(pem + pem)).toThrow(LicenceRefused);
  });

  it('is tolerated ten minutes before it begins, and not a second after it has ended', async () => {
    const pem = await licence();
    expect(verified(pem, { now: later(-1200) }).ownerId).toBe(5);
    expect(() => verified(pem, { now: later(-1201) })).toThrow(LicenceRefused);
    expect(verified(pem, { now: later(600) }).ownerId).toBe(5);
    expect(() => verified(pem, { now: later(601) })).toThrow(LicenceRefused);
  });

  it('must share a feature, whose case counts', async () => {
    const pem = await licence();
    expect(verified(pem, { features: ['other', 'productdb-enterprise'] }).ownerId).toBe(5);
    expect(() => verified(pem, { features: ['ProductDB'] })).toThrow(LicenceRefused);
  });
});
