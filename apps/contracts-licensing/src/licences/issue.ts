import { UniqueViolation } from '@platform/postgres';
import { Fault } from '@platform/rpc';
import type { SigningAuthority } from '../authorities/authority.ts';
import { generateKeys } from '../authorities/key-type.ts';
import type { Work } from '../change.ts';
import type { Parts } from '../parts.ts';
import { insertBindings } from '../contracts/binding-store.ts';
import { stateOf } from '../contracts/contract-state.ts';
import { backdatedMs, type LicenceFlags, type LicenceTerms, newSerial, signLicence } from './certificate.ts';
import { refusalOf } from './choose-offer.ts';
import { lockOffer, type Offer } from './offers.ts';
import { insertLicence, monthOf, noteOnce } from './store.ts';

/** A licence as it was issued. */
export interface IssuedLicence {
  readonly terms: LicenceTerms;
  /** 0 for a trial. */
  readonly contractId: number;
  /** Of the contract; for a trial its first issue and its end. */
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly pem: string;
}

/** What issuing needs beside the transaction. */
export type Issuer = Pick<Parts, 'config' | 'authorities' | 'products'>;

/** The public key of a licence. It is made before the transaction, where rows are locked: an RSA key takes its time. */
export type LeafKey = Awaited<ReturnType<typeof generateKeys>>['publicKey'];

export async function newLeafKey({ config }: Issuer): Promise<LeafKey> {
  return (await generateKeys(config.licenseKeyType)).publicKey;
}

/** Online licences are renewed by the licence proxy; offline ones last as long as the contract (open-points 6.1). */
export type LicenceKind = 'online' | 'offline';

/** What came of an attempt; `stale`: the contract has changed since it was read, nothing is done. */
export type Attempt = { readonly issued: IssuedLicence } | { readonly stale: true } | { readonly overQuota: true };

const onlineMs = 7 * 86_400_000;

/**
 * Issues a licence under a contract, in this transaction. The contract's row is locked while its state and its quota
 * are judged and the licence is signed: so no licence is issued once a revocation has been answered, and parallel
 * issues on any number of replicas never pass the quota (open-points 6.2).
 * @throws Fault when the contract gives no licence (405), ISSUER_UNAVAILABLE
 */
export async function issueUnder(
  issuer: Issuer, work: Work, offer: Offer, clusterUid: string, kind: LicenceKind, key: LeafKey,
): Promise<Attempt> {
  const now = new Date();
  const alone = !offer.bound || offer.mostClusters !== null && !offer.licensed;
  const locked = await lockOffer(work, offer, clusterUid, alone);
  if (locked === undefined || offer.bound && !locked.bound) return { stale: true };
  refuseState(offer, now);
  if (kind === 'offline' && !offer.allowOffline) {
    throw new Fault('OFFLINE_NOT_ALLOWED', `the contract ${offer.contractId} gives no offline licences`);
  }
  if (offer.mostClusters !== null && !locked.licensed && locked.clusters >= offer.mostClusters) {
    // Recorded at the first refusal of a month, and committed although nothing is issued (open-points 5.7).
    if (await noteOnce(work, offer.contractId, 'quota.limit_reached', monthOf(now))) {
      await work.record({ contractId: offer.contractId, event: 'quota.limit_reached' });
    }
    return { overQuota: true };
  }
  if (!locked.bound) {
    await insertBindings(work, [offer.contractId], [{ clusterUid, displayName: '', tags: [] }]);
    await work.record({ contractId: offer.contractId, event: `cluster.added ${clusterUid}` });
  }
  const authority = await issuer.authorities.signing(work);
  const ends = kind === 'offline' ? offer.endsAt : earliest(offer.endsAt, new Date(now.getTime() + onlineMs));
  const { tierName: tier = 'enterprise' } = issuer.products.get(offer.product) ?? {};
  const terms = termsOf(authority, now, ends, {
    clusterId: clusterUid,
    ownerId: offer.ownerId,
    plan: { productLine: offer.product, tier, name: `${offer.product}-${tier}` },
    features: offer.features,
    flags: flagsOf(offer),
  });
  const pem = await recordAndSign(issuer, work, authority, terms, offer.contractId, key);
  await work.record({ contractId: offer.contractId, event: `license.issued ${terms.serial}` });
  return {
    issued: { terms, pem, contractId: offer.contractId, startsAt: offer.startsAt, endsAt: offer.endsAt },
  };
}

/** @throws Fault: only an active contract gives licences */
export function refuseState(offer: Offer, now: Date): void {
  const refusal = refusalOf(stateOf(offer, now));
  if (refusal !== undefined) throw noLicence(refusal);
}

export function noLicence(reason: NonNullable<ReturnType<typeof refusalOf>>): Fault {
  return new Fault(reason, reason === 'NO_ACTIVE_CONTRACT'
    ? 'no active contract of the account covers the cluster and the features'
    : `the contract ${stateText[reason]}`);
}

const stateText = {
  CONTRACT_REVOKED: 'is revoked', CONTRACT_EXPIRED: 'has expired', CONTRACT_NOT_STARTED: 'has not started yet',
};

export function quotaExceeded(): Fault {
  return new Fault('QUOTA_EXCEEDED', 'the contract has reached its limit of clusters');
}

/** The terms of a licence that begins now, as far as the authority reaches. Times are whole seconds. */
export function termsOf(
  authority: SigningAuthority, now: Date, ends: Date,
  terms: Pick<LicenceTerms, 'clusterId' | 'ownerId' | 'plan' | 'features' | 'flags'>,
): LicenceTerms {
  return {
    ...terms,
    serial: newSerial(),
    notBefore: wholeSeconds(now.getTime() - backdatedMs),
    notAfter: wholeSeconds(earliest(ends, authority.notAfter).getTime()),
  };
}

/** Records a licence and signs it. */
export async function recordAndSign(
  { config }: Issuer, work: Work, authority: SigningAuthority, terms: LicenceTerms, contractId: number, key: LeafKey,
): Promise<string> {
  try {
    await insertLicence(work, terms, contractId);
  } catch (error) {
    // One in billions of billions: the caller tries again.
    throw error instanceof UniqueViolation ? new Fault('CONFLICT', 'try again') : error;
  }
  return signLicence(authority, terms, key, config.licenseEmailDomain);
}

function flagsOf({ disableAnalytics, enableClientBilling, restrictions }: Offer): LicenceFlags {
  return {
    ...(disableAnalytics ? { DisableAnalytics: 'true' } : {}),
    ...(enableClientBilling ? { EnableClientBilling: 'true' } : {}),
    ...(restrictions === '' ? {} : { Restrictions: restrictions }),
  };
}

function earliest(one: Date, other: Date): Date {
  return one < other ? one : other;
}

function wholeSeconds(milliseconds: number): Date {
  return new Date(Math.floor(milliseconds / 1000) * 1000);
}
