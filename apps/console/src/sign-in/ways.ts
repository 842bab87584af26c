import type { AcceptTeamInvitationFields, Provider } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { platform, queries } from '../api/client.ts';
import { basePath } from '../api/page.ts';

/** The providers that sign people in; usually there are none. */
export const useProviders = () =>
  useQuery({ queryKey: ['providers'], queryFn: () => platform.call('listProviders'), staleTime: 300_000 });

/** The address of a provider's button; afterwards the browser returns to the current page. */
export function addressOfProvider({ name: provider }: Provider): string {
  const page = `${location.pathname}${location.search}`.slice(basePath.length);
  return platform.address('beginOidc', { provider, to: page.startsWith('/sign-in') ? '/' : page });
}

const wantedKey = 'page wanted';

/** Remembers the current page, because the link of a mail opens another tab. */
export function rememberPage(): void {
  localStorage.setItem(wantedKey, `${location.pathname}${location.search}`);
}

/** The page to which a person returns after following the link of a mail; undefined: the start page. */
export function rememberedPage({ kind }: FoundLink): string | undefined {
  if (kind !== 'mail' && kind !== 'sign-up') return undefined;
  const page = localStorage.getItem(wantedKey);
  localStorage.removeItem(wantedKey);
  // A path that begins with two slashes would lead to another host.
  return page === null ? undefined : `${location.origin}${page}`;
}

/** The operation that redeems the code of a link, by the name before the code (`#link=…` is a link of the launcher). */
const operations = {
  'link': 'signInByLink',
  'mail': 'signInByMail',
  'sign-up': 'finishSignUp',
  'invitation': 'acceptTeamInvitation',
} as const;

/** The link in the address. Only {@link followLink} redeems its code. */
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

/** Redeems the code of a link. Only an invitation of a new person needs `account`. */
export async function followLink({ kind, code }: FoundLink, account: AcceptTeamInvitationFields = {}): Promise<void> {
  await platform.call(operations[kind], { parameters: { code }, body: account as Record<string, never> });
  await queries.resetQueries();
}

/** Returns why a provider's sign-in ended without a session: the code after `#refused=`. */
export function refusalOf(fragment: string): string | undefined {
  return /^#?refused=(\w+)$/.exec(fragment)?.[1];
}
