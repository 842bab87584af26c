import type { Letter, LetterBrand } from '@platform/mail';

interface LetterFacts {
  readonly brand: LetterBrand;
  readonly link: string;
}

const notYou = 'If this was not you, ignore this message: nothing happens until the link is used.';

function letter(brand: LetterBrand, subject: string, blocks: Letter['blocks']): Letter {
  return { subject, brand, blocks: [{ paragraph: 'Hello,' }, ...blocks] };
}

/** The mail of `POST /auth/sign-in/mail`, with its link. */
export function signInLetter({ brand, link }: LetterFacts, name: string): Letter {
  return letter(brand, `Sign in to ${brand.name}`, [
    {
      paragraph: `with this link you sign in to ${brand.name} as the user ${name}. The link works once, `
        + 'within 15 minutes, and only in the browser in which it was requested.',
    },
    { link, text: 'Sign in' },
    { paragraph: notYou },
  ]);
}

/** The mail of `POST /auth/sign-up`, with its link. */
export function signUpLetter({ brand, link }: LetterFacts, name: string): Letter {
  return letter(brand, `Create your account at ${brand.name}`, [
    {
      paragraph: `with this link you create your account ${name} at ${brand.name}. The link works once, `
        + 'within an hour, and only in the browser in which it was requested.',
    },
    { link, text: 'Create the account' },
    { paragraph: notYou },
  ]);
}

/** The mail of `POST /auth/sign-up` to an address that already has an account. */
export function accountExistsLetter({ brand, link }: LetterFacts, names: readonly string[]): Letter {
  return letter(brand, `You have an account at ${brand.name}`, [
    {
      paragraph: `somebody has asked for a new account at ${brand.name} with this address. `
        + 'The address already has an account, so no new account was created.',
    },
    { facts: { [names.length === 1 ? 'User' : 'Users']: names.join(', ') } },
    { link, text: 'Go to the sign-in' },
    { paragraph: 'If this was not you, ignore this message.' },
  ]);
}

/** The mail that `POST /orgs/{orgname}/invitations` sends. `link` accepts the invitation. */
export function invitationLetter(
  { brand, link }: LetterFacts,
  { organization, team, inviter, expiresAt }: { organization: string; team: string; inviter: string; expiresAt: Date },
): Letter {
  return letter(brand, `${inviter} invites you to ${organization}`, [
    {
      paragraph: `${inviter} invites you to the organization ${organization} at ${brand.name}. `
        + 'The link works once, in any browser: do not pass it on.',
    },
    {
      facts: { 'Organization': organization, 'Team': team, 'Invited by': inviter, 'Valid until': momentOf(expiresAt) },
    },
    { link, text: 'Accept the invitation' },
    { paragraph: 'If you do not know the sender, ignore this message.' },
  ]);
}

/** The mail to a user whose access token expires within 7 days. */
export function tokenEndsLetter(
  { brand, link }: LetterFacts,
  { name, lastEight, login, expiresAt }: { name: string; lastEight: string; login: string; expiresAt: Date },
): Letter {
  return letter(brand, `Your token ${name} at ${brand.name} expires soon`, [
    {
      paragraph: `one of your access tokens at ${brand.name} expires soon. Programs that use an expired token are `
        + 'refused, so create a new token in time.',
    },
    { facts: { 'User': login, 'Token': name, 'Last characters': lastEight, 'Ends': momentOf(expiresAt) } },
    { link, text: 'Go to your tokens' },
  ]);
}

export function momentOf(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} (UTC)`;
}
