import type { Letter } from '@platform/mail';

export interface LetterContract {
  readonly contractId: number;
  readonly name: string;
  /** Display name of the product; its alias if the product is unknown. */
  readonly product: string;
  /** Slug of the owner of the contract. */
  readonly owner: string;
  readonly endsAt: Date;
  readonly clusters: number;
  /** Whether licences may be refused when the limit is reached. */
  readonly stopsAtLimit: boolean;
  readonly metric: string;
  /** Limit of the quota, in clusters, core-months or GiB-months. */
  readonly limit: number;
}

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
        paragraph: 'After the end, the contract allows no new licences. The products stop when their licences expire. '
          + 'Please talk to your account manager if you want to extend the contract.',
      },
      { facts: { ...commonFacts(contract), 'Clusters': String(contract.clusters), 'Ends': `${timeOf(endsAt)} (UTC)` } },
      { link: baseUrl, text: 'Open the platform' },
      { paragraph: 'You get this message because your address is a contact of the contract.' },
    ],
  };
}

/** @param used the used amount, in the unit of the limit */
export function quotaLetter(
  contract: LetterContract, { threshold, used }: { readonly threshold: number; readonly used: number }, baseUrl: string,
): Letter {
  const { name } = contract;
  const limit = limitText(contract);
  const amount = String(Math.floor(used * 100) / 100);
  return {
    subject: `${threshold} % of the quota of your contract “${name}” is used`,
    blocks: [
      { paragraph: 'Hello,' },
      {
        paragraph: (contract.metric === 'clusters'
          ? `The contract “${name}” has given licences to ${amount} of ${limit}. `
          : `${amount} of ${limit} of the contract “${name}” are used this month. `)
          + `That is at least ${threshold} % of its quota.`,
      },
      { paragraph: whenReached(contract) },
      { facts: { ...commonFacts(contract), 'Used': `${amount} of ${limit}`, 'Threshold': `${threshold} %` } },
      { link: baseUrl, text: 'Open the platform' },
      { paragraph: 'You get this message because your address is listed for usage alerts of the contract.' },
    ],
  };
}

/** What happens when the limit is reached (open-points 6.2, 6.5). */
function whenReached({ metric, stopsAtLimit }: LetterContract): string {
  if (!stopsAtLimit) return 'This is for your information: licences are still issued when the limit is reached.';
  return metric === 'clusters'
    ? 'When the limit is reached, no new cluster gets a licence. Clusters with a licence can still renew it.'
    : 'When the limit is reached, no licence is issued or renewed until the end of the month (UTC).';
}

/** `1 cluster`, `4 core-months` */
function limitText({ metric, limit }: LetterContract): string {
  const unit = { cpu_core_month: 'core-month', memory_gib_month: 'GiB-month' }[metric] ?? 'cluster';
  return limit === 1 ? `1 ${unit}` : `${limit} ${unit}s`;
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
