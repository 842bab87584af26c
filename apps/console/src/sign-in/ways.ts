import type { AcceptTeamInvitationFields, Provider } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { platform, queries } from '../api/client.ts';
import { basePath } from '../api/page.ts';

/** The identity providers of the deployment. */
export const useProviders = () =>
  useQuery({ queryKey: ['providers'], queryFn: () => platform.call('listProviders'), staleTime: 300_000 });

/** Address where a provider's sign-in begins. Afterwards, the browser returns here, or from `/sign-in` to `/`. */
export function addressOfProvider({ name: provider }: Provider): string {
  const page = `${location.pathname}${location.search}`.slice(basePath.length);
  return platform.address('beginOidc', { provider, to: page.startsWith('/sign-in') ? '/' : page });
}

const wantedKey = 'page wanted';

/** Remembers the current page, because the link of a mail opens another tab. */
export function rememberPage(): void {
  localStorage.setItem(wantedKey, `${location.pathname}${location.search}`);
}

/** Returns the page of `rememberPage` and forgets it. Undefined without a page, and for other kinds of links. */
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

/** Redeems the code of a link. Only invitations of people without an account need `account`. */
export async function followLink({ kind, code }: FoundLink, account: AcceptTeamInvitationFields = {}): Promise<void> {
  await platform.call(operations[kind], { parameters: { code }, body: account as Record<string, never> });
  await queries.resetQueries();
}

/** Returns why a provider's sign-in failed, from `#refused=…`. Undefined for other fragments. */
export function refusalOf(fragment: string): string | undefined {
  return /^#?refused=(\w+)$/.exec(fragment)?.[1];
}
