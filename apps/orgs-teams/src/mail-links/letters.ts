import type { Letter, LetterBrand } from '@platform/mail';

/** Values that all mails about signing in contain. */
export interface LetterFacts {
  readonly brand: LetterBrand;
  readonly link: string;
}

const notYou = 'If this was not you, you need not do anything: nothing happens without the link.';

/** The mail of `POST /auth/sign-in/mail`, with its link. */
export function signInLetter({ brand, link }: LetterFacts, name: string): Letter {
  return {
    subject: `Sign in to ${brand.name}`,
    brand,
    blocks: [
      { paragraph: 'Hello,' },
      {
        paragraph: `with this link you sign in to ${brand.name} as the user ${name}. It works once, for 15 minutes, `
          + 'in the browser in which it was asked for.',
      },
      { link, text: 'Sign in' },
      { paragraph: notYou },
    ],
  };
}

/** The mail of `POST /auth/sign-up`, with its link. */
export function signUpLetter({ brand, link }: LetterFacts, name: string): Letter {
  return {
    subject: `Finish your account at ${brand.name}`,
    brand,
    blocks: [
      { paragraph: 'Hello,' },
      {
        paragraph: `with this link you finish the account ${name} at ${brand.name}. It works once, for an hour, `
          + 'in the browser in which it was asked for.',
      },
      { link, text: 'Finish the account' },
      { paragraph: notYou },
    ],
  };
}

/** The mail of `POST /auth/sign-up` to an address that already has an account. */
export function accountExistsLetter({ brand, link }: LetterFacts, names: readonly string[]): Letter {
  return {
    subject: `You have an account at ${brand.name}`,
    brand,
    blocks: [
      { paragraph: 'Hello,' },
      {
        paragraph: `somebody has asked for a new account at ${brand.name} with this address. `
          + 'The address already has an account, so no new account was created.',
      },
      { facts: { [names.length === 1 ? 'User' : 'Users']: names.join(', ') } },
      { link, text: 'Go to the sign-in' },
      { paragraph: 'If this was not you, you need not do anything.' },
    ],
  };
}

/** The values that the mail of an invitation contains. */
export interface InvitationFacts {
  readonly organization: string;
  readonly team: string;
  readonly inviter: string;
  readonly expiresAt: Date;
}

/** The mail of `POST /orgs/{orgname}/invitations`, with its link. */
export function invitationLetter(
  { brand, link }: LetterFacts, { organization, team, inviter, expiresAt }: InvitationFacts,
): Letter {
  return {
    subject: `${inviter} invites you to ${organization}`,
    brand,
    blocks: [
      { paragraph: 'Hello,' },
      {
        paragraph: `${inviter} invites you to the organization ${organization} at ${brand.name}. `
          + 'The link works once, in any browser: do not pass it on.',
      },
      {
        facts: {
          'Organization': organization, 'Team': team, 'Invited by': inviter, 'Valid until': momentOf(expiresAt),
        },
      },
      { link, text: 'Accept the invitation' },
      { paragraph: 'If you do not know the sender, you need not do anything.' },
    ],
  };
}

/** The values that the mail about an expiring token contains. */
export interface EndingToken {
  readonly name: string;
  readonly lastEight: string;
  readonly login: string;
  readonly expiresAt: Date;
}

/** The mail to a person whose access token expires within 7 days. */
export function tokenEndsLetter(
  { brand, link }: LetterFacts, { name, lastEight, login, expiresAt }: EndingToken,
): Letter {
  return {
    subject: `Your token ${name} at ${brand.name} is about to end`,
    brand,
    blocks: [
      { paragraph: 'Hello,' },
      {
        paragraph: `one of your access tokens at ${brand.name} is about to end. After that, programs that use it are refused, `
          + 'so create a new token before then.',
      },
      { facts: { 'User': login, 'Token': name, 'Last characters': lastEight, 'Ends': momentOf(expiresAt) } },
      { link, text: 'Go to your tokens' },
    ],
  };
}

/** Formats a moment for mails. */
export function momentOf(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} (UTC)`;
}
