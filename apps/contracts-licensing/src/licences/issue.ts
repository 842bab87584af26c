import { Fault } from '@platform/faults';
import type { License } from '@platform/proto/contracts/v1/license';
import type { CallContext } from '@platform/rpc';
import { whenCommitted } from '@platform/writes';
import type { Work } from '../change.ts';
import { insertBindings } from '../contracts/binding-store.ts';
import { monthOf, noteOnce } from '../contracts/events.ts';
import { stateOf } from '../contracts/terms.ts';
import type { Parts } from '../parts.ts';
import type { LicenceFlags } from './certificate.ts';
import { type OfferRefusal, refusals } from './choose-offer.ts';
import { type Draft, draftLicences, type Wanted } from './draft.ts';
import { type Candidate, type LockedOffer, lockOffers, type Offer } from './offers.ts';
import { insertLicences, type NewLicence } from './store.ts';

export interface IssuedLicence extends NewLicence {
  /** The start of the contract or of the trial. */
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly pem: string;
}

/** Licences end with the contract at the latest. Online licences end within a week of their issue (open-points 6.1). */
type LicenceKind = 'online' | 'offline';

/** `stale`: rows on which the licences depend have changed, and the attempt changed nothing. */
export type Attempt<Issued> = { readonly issued: Issued } | { readonly stale: true } | { readonly overQuota: true };

export class Stale extends Error {
  override readonly name = 'Stale';
}

/**
 * Returns `stale` if the attempt throws {@link Stale}. A stale attempt throws so that its transaction is rolled back at
 * once. If the attempt returned, the transaction could stay open until the answer is stored.
 */
export async function unlessStale<Issued>(recording: Promise<Attempt<Issued>>): Promise<Attempt<Issued>> {
  try {
    return await recording;
  } catch (error) {
    if (error instanceof Stale) return { stale: true };
    throw error;
  }
}

const onlineMs = 7 * 86_400_000;

/**
 * Issues licences under contracts, all or none. The licences are signed before the contracts are locked. After the
 * lock, the contracts are checked for changes, and the licences are recorded. So no licence is issued after the answer
 * to a revocation, and concurrent calls do not exceed a quota of clusters (open-points 6.2).
 * @param also a function that changes more rows in the transaction in which the licences are recorded
 * @returns `overQuota` if the quota of a contract forbids a licence; `stale` if rows on which the licences depend have
 *   changed meanwhile
 * @throws Fault when a contract is not active or does not allow a requested offline licence; also the errors of
 *   {@link draftLicences}, {@link insertBindings} and {@link insertLicences}
 */
export async function issueUnder(
  parts: Parts, context: CallContext, candidates: readonly Candidate[],
  { kind, also = async () => undefined }: { kind: LicenceKind; also?: (work: Work) => Promise<unknown> },
): Promise<Attempt<readonly IssuedLicence[]>> {
  const now = new Date();
  for (const { offer } of candidates) {
    refuseState(offer, now);
    if (kind === 'offline') refuseOnlineOnly(offer);
  }
  const wanted = candidates.map((candidate) => wantedUnder(parts, candidate, kind, now));
  const drafts = await draftLicences(parts, wanted, now, context.deadline);
  const counted = candidates.some(isCounted);
  const contractIds = candidates.map(({ offer }) => offer.contractId);
  const record = () => unlessStale(parts.change(context, async (work) => {
    const outcome = await recordUnder(parts, work, candidates, drafts, { counted, now });
    if ('issued' in outcome) await also(work);
    return outcome;
  }));
  // Calls that must wait for each other should not hold a database connection while they wait.
  return counted ? parts.turns.take(contractIds, record, () => whenCommitted(context)) : record();
}

function wantedUnder({ products }: Parts, { offer, clusterUid }: Candidate, kind: LicenceKind, now: Date): Wanted {
  const { tierName: tier = 'enterprise' } = products.get(offer.product) ?? {};
  return {
    clusterId: clusterUid,
    ownerId: offer.ownerId,
    plan: { productLine: offer.product, tier, name: `${offer.product}-${tier}` },
    features: offer.features,
    flags: flagsOf(offer),
    endsAt: kind === 'offline' ? offer.endsAt : new Date(Math.min(offer.endsAt.getTime(), now.getTime() + onlineMs)),
  };
}

/**
 * Whether the licence would bind the cluster to the contract, or would count the cluster towards the contract's quota.
 * Calls for such licences under one contract wait for each other.
 */
function isCounted({ offer }: Candidate): boolean {
  return !offer.bound || offer.mostClusters !== null && !offer.licensed;
}

async function recordUnder(
  { authorities }: Parts, work: Work, candidates: readonly Candidate[], drafts: readonly Draft[],
  { counted, now }: { counted: boolean; now: Date },
): Promise<Attempt<readonly IssuedLicence[]>> {
  const locked = await lockOffers(work, candidates, counted);
  if (locked === undefined || candidates.some(({ offer }, index) => offer.bound && !locked[index]!.bound)) {
    throw new Stale();
  }
  if (!(await authorities.stillSigns(work, drafts.map(({ signedBy }) => signedBy)))) throw new Stale();
  const full = contractBeyondQuota(candidates, locked);
  if (full !== undefined) return noteLimit(work, full, now);
  for (const [index, { offer: { contractId }, clusterUid }] of candidates.entries()) {
    if (locked[index]!.bound) continue;
    await insertBindings(work, [contractId], [{ clusterUid, displayName: '', tags: [] }], 'QUOTA_EXCEEDED');
    await work.record({ contractId, event: `cluster.added ${clusterUid}` });
  }
  const issued = candidates.map(({ offer: { contractId, startsAt, endsAt } }, index) => (
    { terms: drafts[index]!.terms, pem: drafts[index]!.pem, contractId, startsAt, endsAt }));
  await insertLicences(work, issued);
  await work.record(...issued.map(({ contractId, terms }) => (
    { contractId, event: `license.issued ${terms.serial}` as const })));
  return { issued };
}

/** Returns the id of the first contract whose quota forbids a candidate (open-points 6.2, 6.5), or undefined. */
function contractBeyondQuota(candidates: readonly Candidate[], locked: readonly LockedOffer[]): number | undefined {
  const used = new Map<number, number>();
  const beyond = candidates.find(({ offer: { contractId, mostClusters, usedUp } }, index) => {
    const { licensed, clusters } = locked[index]!;
    if (usedUp) return true;
    if (mostClusters === null || licensed) return false;
    used.set(contractId, (used.get(contractId) ?? clusters) + 1);
    return used.get(contractId)! > mostClusters;
  });
  return beyond?.offer.contractId;
}

/**
 * Records that a licence was refused because of the quota of a contract (open-points 5.7). Adds at most one record per
 * contract and UTC month. Returns instead of throwing, so that the record is committed.
 */
async function noteLimit(work: Work, contractId: number, now: Date): Promise<{ readonly overQuota: true }> {
  if (await noteOnce(work, contractId, 'quota.limit_reached', monthOf(now))) {
    await work.record({ contractId, event: 'quota.limit_reached' });
  }
  return { overQuota: true };
}

const mostAttempts = 5;

/**
 * Calls `attempt` until its outcome is not stale, at most five times.
 * @throws Fault QUOTA_EXCEEDED, CONFLICT; the errors of `attempt`
 */
export async function untilSettled<Issued>(attempt: () => Promise<Attempt<Issued>>): Promise<Issued> {
  for (let count = 0; count < mostAttempts; count += 1) {
    const outcome = await attempt();
    if ('issued' in outcome) return outcome.issued;
    if ('overQuota' in outcome) throw new Fault('QUOTA_EXCEEDED', 'the contract has reached the limit of its quota');
  }
  throw new Fault('CONFLICT', 'the data for the licence keep changing, try again');
}

/** @throws Fault unless the contract is active */
export function refuseState(offer: Offer, now: Date): void {
  const refusal = refusals[stateOf(offer, now)];
  if (refusal !== undefined) throw noLicence(refusal);
}

/** @throws Fault OFFLINE_NOT_ALLOWED */
export function refuseOnlineOnly({ allowOffline, contractId }: Offer): void {
  if (!allowOffline) throw new Fault('OFFLINE_NOT_ALLOWED', `the contract ${contractId} does not allow offline licences`);
}

/** A licence as the API returns it (spec §2.4, open-points 6.1). */
export function toLicense({ contractId, startsAt, endsAt, pem }: IssuedLicence): License {
  return {
    contract: { id: String(contractId), startTimestamp: rfc3339(startsAt), expiryTimestamp: rfc3339(endsAt) },
    license: Buffer.from(pem),
  };
}

/** Formats a time as RFC 3339 in UTC, cut to whole seconds (open-points 1.7). */
function rfc3339(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}

export function noLicence(reason: OfferRefusal): Fault {
  return new Fault(reason, reason === 'NO_ACTIVE_CONTRACT'
    ? 'no active contract of the account covers the cluster and the features'
    : `the contract ${stateText[reason]}`);
}

const stateText = {
  CONTRACT_REVOKED: 'is revoked', CONTRACT_EXPIRED: 'has expired', CONTRACT_NOT_STARTED: 'has not started yet',
};

function flagsOf({ disableAnalytics, enableClientBilling, restrictions }: Offer): LicenceFlags {
  return {
    ...(disableAnalytics ? { DisableAnalytics: 'true' } : {}),
    ...(enableClientBilling ? { EnableClientBilling: 'true' } : {}),
    ...(restrictions === '' ? {} : { Restrictions: restrictions }),
  };
}
