import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ProofOptions, type ProofResult, seeded, type SeededRandom, verifyInField } from '@platform/testing';
import { type AuthorityPem, makeAuthority, signingAuthority, trustedAuthority } from '../authorities/authority.ts';
import { generateKeys, type KeyType } from '../authorities/key-type.ts';
import { licenceEmail, type LicenceTerms, signLicence } from './certificate.ts';
import { mutations, type Original } from './fixtures/mutations.ts';
import { randomTerms } from './fixtures/random-terms.ts';
import { startRegistering } from './fixtures/registering.ts';
import { LicenceRefused, verifyLicence } from './verify.ts';

export const name = 'licences';
export const describe =
  '10,000 licences of random contents, ECDSA and RSA, are accepted by our verifier, by the installed verifier and by '
  + 'openssl; 2,000 changed ones are refused by POST /register.';
export const servers = true;

const wholeLicences = 10_000;
const wholeMutations = 2_000;
const emailDomain = 'id.platform.dev';
/** Number of files in one call of `openssl verify`. */
const batch = 250;
/** Share of RSA keys. It takes as long to generate one RSA key as to generate hundreds of ECDSA keys. */
const rsaShare = 0.1;

const run = promisify(execFile);

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const random = seeded(seed);
  const authorities = [await makeAuthority('ecdsa'), await makeAuthority('rsa')];
  const licences = Math.ceil(wholeLicences * share);
  const changes = Math.max(Object.keys(mutations).length, Math.ceil(wholeMutations * share));
  const counterexamples: string[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'platform-licences-'));
  try {
    const openssl = await opensslVersion();
    const trust = join(folder, 'authorities.pem');
    await writeFile(trust, authorities.map(({ certificate }) => certificate).join(''));
    let files: string[] = [];
    for (let count = 1; count <= licences; count += 1) {
      const original = await issue(random, random.pick(authorities), random.chance(rsaShare) ? 'rsa' : 'ecdsa');
      counterexamples.push(...refusals(original, authorities));
      files.push(join(folder, `${count}.pem`));
      await writeFile(files.at(-1)!, original.pem);
      if (files.length < batch && count < licences) continue;
      if (openssl !== undefined) counterexamples.push(...await refusedByOpenssl(trust, files));
      await Promise.all(files.map((file) => rm(file)));
      files = [];
      if (count % 1_000 === 0) report(`${count} of ${licences} licences, ${counterexamples.length} wrong`);
    }
    await using registering = await startRegistering(authorities);
    for (let count = 0; count < changes; count += 1) {
      const [what, mutate] = Object.entries(mutations)[count % Object.keys(mutations).length]!;
      const original = await issue(random, random.pick(authorities), 'ecdsa');
      const { pem, terms: { clusterId, features } } = original;
      const changed = Buffer.from(await mutate(original, random), 'latin1');
      await registering.know(clusterId);
      const answers = [
        await registering.register(clusterId, features, Buffer.from(pem)),
        await registering.register(clusterId, features, changed),
      ];
      // The unchanged licence is valid: it gets 503 because the service cannot look up its account.
      if (answers.join() !== '503 unavailable,422 invalid_license') {
        counterexamples.push(`${what}: ${answers.join(', ')}\n${pem}\n${changed.toString('latin1')}`);
      }
      if (count % 200 === 199) report(`${count + 1} of ${changes} changed licences, ${counterexamples.length} wrong`);
    }
    return {
      figure: `${licences} licences accepted, also by ${openssl ?? 'no openssl (not found here)'}; ${changes} changed ones `
        + `refused; ${counterexamples.length} wrong`,
      holds: counterexamples.length > 0 ? false : openssl === undefined ? undefined : true,
      counterexamples,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function issue(random: SeededRandom, authority: AuthorityPem, type: KeyType): Promise<Original> {
  const terms = randomTerms(random);
  const { publicKey } = await generateKeys(type);
  const pem = await signLicence(await signingAuthority(authority), terms, publicKey, emailDomain);
  return { pem, authority, terms, emailDomain };
}

/** The reasons why our verifier and the installed verifier refuse a licence. */
function refusals({ pem, terms, authority }: Original, authorities: readonly AuthorityPem[]): string[] {
  const expected = {
    id: terms.serial.toString(),
    clusterId: terms.clusterId,
    productLine: terms.plan.productLine,
    tier: terms.plan.tier,
    plan: terms.plan.name,
    features: terms.features,
    flags: terms.flags,
    email: licenceEmail(terms.ownerId, emailDomain),
    notBefore: terms.notBefore,
    notAfter: terms.notAfter,
  };
  try {
    const read = verifyInField(pem, authority.certificate, terms.clusterId, new Date());
    if (JSON.stringify(read) !== JSON.stringify(expected)) {
      return [`read ${JSON.stringify(read)}, expected ${JSON.stringify(expected)}`];
    }
    return accepted(pem, terms, authorities) === true ? [] : [`refused by our own verifier\n${pem}`];
  } catch (error) {
    return [`${String(error)}\n${pem}`];
  }
}

/** Whether our verifier accepts a licence; undefined if it fails in any way other than a refusal. */
function accepted(pem: string, terms: LicenceTerms, authorities: readonly AuthorityPem[]): boolean | undefined {
  const trusted = authorities.map(({ certificate }) => trustedAuthority(certificate));
  try {
    const { clusterId, features } = terms;
    const licence = verifyLicence(pem, { trusted, clusterId, features, emailDomain, now: new Date() });
    return licence.id === terms.serial.toString() && licence.ownerId === terms.ownerId;
  } catch (error) {
    return error instanceof LicenceRefused ? false : undefined;
  }
}

async function opensslVersion(): Promise<string | undefined> {
  try {
    return (await run('openssl', ['version'])).stdout.trim();
  } catch {
    return undefined;
  }
}

async function refusedByOpenssl(trust: string, files: readonly string[]): Promise<string[]> {
  try {
    await run('openssl', ['verify', '-CAfile', trust, '-purpose', 'sslclient', ...files]);
    return [];
  } catch (error) {
    return [`openssl: ${(error as { stderr?: string }).stderr ?? String(error)}`];
  }
}
