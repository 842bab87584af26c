import { emailProblem, refuseTooMany } from '@platform/values';
import type { EmailsInput } from '@platform/proto/contracts/v1/contract';
import { Fault, type Violation } from '@platform/faults';

const emailLists = [
  'contactPerson', 'signingAuthority', 'licenseUsers', 'financeTeam', 'usageAlertClient', 'usageAlertAdmin',
] as const;

export type Emails = Readonly<Record<(typeof emailLists)[number], string[]>>;

export const noEmails: Emails = {
  contactPerson: [], signingAuthority: [], licenseUsers: [], financeTeam: [], usageAlertClient: [], usageAlertAdmin: [],
};

const mostAddresses = 50;

/**
 * Each given list replaces the list of the contract; absent lists stay. Removes duplicates (open-points 5.1).
 * @throws Fault INVALID_EMAIL that names every invalid address, TOO_MANY_ITEMS
 */
export function mergeEmails(before: Emails, input: EmailsInput | undefined): Emails {
  if (input === undefined) return before;
  const violations: Violation[] = [];
  const after = { ...before };
  for (const list of emailLists) {
    const items = input[list]?.items;
    if (items === undefined) continue;
    refuseTooMany(`emails.${list}`, items, mostAddresses);
    items.forEach((text, index) => {
      const message = emailProblem(text);
      if (message !== undefined) violations.push({ path: `emails.${list}[${index}]`, message });
    });
    after[list] = [...new Set(items)];
  }
  if (violations.length === 0) return after;
  throw new Fault('INVALID_EMAIL', `${violations[0]!.path} ${violations[0]!.message}`, { violations });
}
