import { queries } from '../api/client.ts';
import { basePath } from '../api/page.ts';
import { request } from '../api/session.ts';

/** A provider that signs people in (open-points 18.3). */
export interface Provider {
  readonly name: string;
  readonly title: string;
}

export const readProviders = () => request<readonly Provider[]>('GET', '/auth/providers');

/** Where a provider's button leads; afterwards the browser is back at the page that is shown now. */
export function addressOfProvider({ name }: Provider): string {
  const page = `${location.pathname}${location.search}`.slice(basePath.length);
  const to = page.startsWith('/sign-in') ? '/' : page;
  return `${basePath}/auth/oidc/${encodeURIComponent(name)}?to=${encodeURIComponent(to)}`;
}

/** The answer is the same whether or not the address has an account. */
export const askForMail = (email: string) => request('POST', '/auth/sign-in/mail', { email });

export interface NewAccount {
  readonly username: string;
  readonly email: string;
  readonly full_name: string;
}

export const signUp = (account: NewAccount) => request('POST', '/auth/sign-up', account);

/** What the code of a link is posted to, by its name in the fragment (`#link=code` is the launcher's). */
const targets: Readonly<Record<string, string>> = {
  'link': '/auth/link',
  'mail': '/auth/sign-in/mail',
  'sign-up': '/auth/sign-up',
  'invitation': '/auth/invitation',
};

/** The link that the address holds; only {@link followLink} spends its code. */
export interface FoundLink {
  readonly kind: string;
  readonly code: string;
}

export function linkOf(fragment: string): FoundLink | undefined {
  const [, kind, code] = /^#?([\w-]+)=([\w-]+)$/.exec(fragment) ?? [];
  return kind !== undefined && code !== undefined && targets[kind] !== undefined ? { kind, code } : undefined;
}

export async function followLink({ kind, code }: FoundLink, account: object = {}): Promise<void> {
  await request('POST', `${targets[kind]}/${encodeURIComponent(code)}`, account);
  await queries.resetQueries();
}

/** Why a provider's sign-in ended without a session: what stands behind `#refused=`. */
export function refusalOf(fragment: string): string | undefined {
  return /^#?refused=(\w+)$/.exec(fragment)?.[1];
}
