import type { Letter } from '@platform/mail';

/** A contract as letters about it show it. */
export interface LetterContract {
  readonly contractId: number;
  readonly name: string;
  /** As customers know it. */
  readonly product: string;
  /** Slug of its owner. */
  readonly owner: string;
  readonly endsAt: Date;
  readonly clusters: number;
  /** No cluster gets its first licence beyond the limit. */
  readonly stopsAtLimit: boolean;
  /** Clusters. */
  readonly limit: number;
}

/** @param baseUrl address of the platform */
export function reminderLetter(contract: LetterContract, now: Date, baseUrl: string): Letter {
  const { name, endsAt } = contract;
  const days = Math.ceil((endsAt.getTime() - now.getTime()) / 86_400_000);
  const left = days === 1 ? '1 day' : `${days} days`;
  return {
    subject: `Your contract “${name}” ends in ${left}`,
    blocks: [
      { paragraph: 'Hello,' },
      { paragraph: `your contract “${name}” ends in ${left}, on ${dateOf(endsAt)}.` },
      {
        paragraph: 'When it has ended, its clusters get no new licences, and the products stop when the licences that '
          + 'they have run out. Please talk to your account manager if you want to extend the contract.',
      },
      { facts: { ...commonFacts(contract), 'Clusters': String(contract.clusters), 'Ends': `${timeOf(endsAt)} (UTC)` } },
      { link: baseUrl, text: 'Open the platform' },
      { paragraph: 'You get this message because your address is a contact of the contract.' },
    ],
  };
}

/** @param used clusters; at least `threshold` per cent of the limit */
export function quotaLetter(
  contract: LetterContract, { threshold, used }: { readonly threshold: number; readonly used: number }, baseUrl: string,
): Letter {
  const { name, limit, stopsAtLimit } = contract;
  const clusters = limit === 1 ? '1 cluster' : `${limit} clusters`;
  return {
    subject: `${threshold} % of the quota of your contract “${name}” is used`,
    blocks: [
      { paragraph: 'Hello,' },
      {
        paragraph: `${used} of ${clusters} of the contract “${name}” have a licence. `
          + `That is at least ${threshold} % of its quota.`,
      },
      {
        paragraph: stopsAtLimit
          ? 'When the limit is reached, no other cluster gets a licence. Clusters that have one still get it renewed.'
          : 'This is for your information: other clusters still get licences when the limit is reached.',
      },
      { facts: { ...commonFacts(contract), 'Used': `${used} of ${clusters}`, 'Threshold': `${threshold} %` } },
      { link: baseUrl, text: 'Open the platform' },
      { paragraph: 'You get this message because your address is one of those for usage alerts of the contract.' },
    ],
  };
}

function commonFacts({ contractId, name, product, owner }: LetterContract): Record<string, string> {
  return { 'Contract': `${name} (number ${contractId})`, 'Product': product, 'Account': owner };
}

/** `5 January 2027` */
function dateOf(moment: Date): string {
  return moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** `2027-01-05 09:30` */
function timeOf(moment: Date): string {
  return moment.toISOString().slice(0, 16).replace('T', ' ');
}
