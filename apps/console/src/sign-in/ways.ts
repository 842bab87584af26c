import type { AcceptTeamInvitationFields, Provider } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { platform, queries } from '../api/client.ts';
import { basePath } from '../api/page.ts';

/** The identity providers of the deployment. */
export const useProviders = () =>
  useQuery({ queryKey: ['providers'], queryFn: () => platform.call('listProviders'), staleTime: 300_000 });

/**
 * Returns the address that begins a sign-in at the provider. After the sign-in, the browser opens the current page, or
 * `/` if the current page is `/sign-in`.
 */
export function addressOfProvider({ name: provider }: Provider): string {
  const page = `${location.pathname}${location.search}`.slice(basePath.length);
  return platform.address('beginOidc', { provider, to: page.startsWith('/sign-in') ? '/' : page });
}

const wantedKey = 'page wanted';

/** Stores the current page in the browser, because the link in the mail opens another tab. */
export function rememberPage(): void {
  localStorage.setItem(wantedKey, `${location.pathname}${location.search}`);
}

/**
 * For a link of the kind `mail` or `sign-up`: returns the page that `rememberPage` stored, if any, and deletes the page
 * from the storage of the browser. For any other link: returns undefined, and deletes nothing.
 */
export function rememberedPage({ kind }: FoundLink): string | undefined {
  if (kind !== 'mail' && kind !== 'sign-up') return undefined;
  const page = localStorage.getItem(wantedKey);
  localStorage.removeItem(wantedKey);
  // Without the origin, a path that begins with two slashes would lead to another host.
  return page === null ? undefined : `${location.origin}${page}`;
}

/** The operations that redeem the codes of links, by the name in the fragment: `mail` for `#mail=…`. */
const operations = {
  'link': 'signInByLink',
  'mail': 'signInByMail',
  'sign-up': 'finishSignUp',
  'invitation': 'acceptTeamInvitation',
} as const;

/** The kind and the code of a link, from the fragment of the address. */
export interface FoundLink {
  readonly kind: keyof typeof operations;
  readonly code: string;
}

export function linkOf(fragment: string): FoundLink | undefined {
  const [, kind, code] = /^#?([\w-]+)=([\w-]+)$/.exec(fragment) ?? [];
  return code !== undefined && isKind(kind!) ? { kind, code } : undefined;
}

function isKind(name: string): name is FoundLink['kind'] {
  return Object.hasOwn(operations, name);
}

/** Redeems the code of a link. `account` is needed only if an invited person has no account. */
export async function followLink({ kind, code }: FoundLink, account: AcceptTeamInvitationFields = {}): Promise<void> {
  await platform.call(operations[kind], { parameters: { code }, body: account as Record<string, never> });
  await queries.resetQueries();
}

/**
 * Returns why a sign-in through a provider failed, for example `forbidden` for `#refused=forbidden`. Returns undefined
 * if the fragment has another form.
 */
export function refusalOf(fragment: string): string | undefined {
  return /^#?refused=(\w+)$/.exec(fragment)?.[1];
}
