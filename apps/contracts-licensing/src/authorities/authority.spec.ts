import { generateKeyPairSync, type webcrypto, X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import * as x509 from '@platform/tls/x509';
import { AuthorityRefused, makeAuthority, readAuthority, signingAuthority, trustedAuthority } from './authority.ts';
import { generateKeys } from './key-type.ts';

const authority = await makeAuthority('ecdsa');

/** Creates a self-signed certificate with these extensions. */
async function certificate(
  extensions: x509.Extension[], { begins = -1, ends = 1 } = {}, keys?: webcrypto.CryptoKeyPair,
): Promise<string> {
  const made = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Given',
    notBefore: new Date(Date.now() + begins * 3_600_000),
    notAfter: new Date(Date.now() + ends * 3_600_000),
    keys: keys ?? (await generateKeys('ecdsa')),
    extensions,
  });
  return made.toString('pem');
}

const { keyCertSign, digitalSignature } = x509.KeyUsageFlags;
const isAuthority = new x509.BasicConstraintsExtension(true, undefined, true);
const signs = new x509.KeyUsagesExtension(keyCertSign, true);

describe('an authority that is made', () => {
  it.each(['ecdsa', 'rsa'] as const)('signs certificates with a key of the kind %s', async (type) => {
    const { certificate: pem } = await makeAuthority(type);
    const made = new X509Certificate(pem);
    const { usages } = new x509.X509Certificate(pem).getExtension(x509.KeyUsagesExtension)!;
    expect({ ca: made.ca, selfSigned: made.verify(made.publicKey), extended: made.keyUsage, type: made.publicKey.asymmetricKeyType })
      .toEqual({ ca: true, selfSigned: true, extended: undefined, type: type === 'rsa' ? 'rsa' : 'ec' });
    expect(usages & keyCertSign).toBe(keyCertSign);
  });

  it('has the fingerprint that openssl shows', () => {
    const shown = new X509Certificate(authority.certificate).fingerprint256.replaceAll(':', '').toLowerCase();
    expect(trustedAuthority(authority.certificate).fingerprint).toBe(shown);
  });
});

describe('an authority that is given', () => {
  it('has its certificate and its key in any order, with text around them', () => {
    expect(readAuthority(`${authority.certificate}${authority.key}`)).toEqual(authority);
    expect(readAuthority(`Our authority\n${authority.key}\n\n${authority.certificate}end\n`)).toEqual(authority);
    const text = '\ufeffCertificate:\n    Data:\n        X509v3 - extensions\n';
    expect(readAuthority(`${text}${authority.certificate}${text}${authority.key}`)).toEqual(authority);
  });

  it('may have no key, and then cannot sign', async () => {
    const given = readAuthority(authority.certificate);
    expect(given.key).toBeUndefined();
    await expect(signingAuthority(given)).rejects.toThrow(AuthorityRefused);
  });

  it.each<[string, () => Promise<string>]>([
    ['nothing', async () => ''],
    ['a key alone', async () => authority.key!],
    ['two certificates', async () => authority.certificate + authority.certificate],
    ['two keys', async () => authority.certificate + authority.key + authority.key],
    ['the key of another one', async () => authority.certificate + (await makeAuthority('ecdsa')).key],
    ['a key in another form', async () => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
      return authority.certificate + privateKey.export({ type: 'sec1', format: 'pem' }).toString();
    }],
    ['a damaged certificate', async () => authority.certificate.replace('MII', 'MIX')],
    ['a certificate that is no authority', async () => certificate([signs])],
    ['an authority that may not sign certificates',
      async () => certificate([isAuthority, new x509.KeyUsagesExtension(digitalSignature, true)])],
    ['an authority without a key usage', async () => certificate([isAuthority])],
    ['an authority for servers', async () =>
      certificate([isAuthority, signs, new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth])])],
    ['an expired authority', async () => certificate([isAuthority, signs], { begins: -2, ends: -1 })],
    ['an authority that is not valid yet', async () => certificate([isAuthority, signs], { begins: 1, ends: 2 })],
    ['a key that is too short', async () => certificate([isAuthority, signs], {}, await crypto.subtle.generateKey(
      { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 1024, publicExponent: Uint8Array.of(1, 0, 1) },
      true, ['sign', 'verify'],
    ))],
  ])('is refused: %s', async (_what, given) => {
    const text = await given();
    expect(() => readAuthority(text)).toThrow(AuthorityRefused);
  });

  it('may be for clients', async () => {
    const pem = await certificate([isAuthority, signs, new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])]);
    expect(readAuthority(pem).certificate.trim()).toBe(pem);
  });
});
