import type { AcceptTeamInvitationFields, Provider } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { platform, queries } from '../api/client.ts';
import { basePath } from '../api/page.ts';

/** The identity providers of the deployment. */
export const useProviders = () =>
  useQuery({ queryKey: ['providers'], queryFn: () => platform.call('listProviders'), staleTime: 300_000 });

/** Where a provider's sign-in begins. It returns to the current page, or from `/sign-in` to `/`. */
export function addressOfProvider({ name: provider }: Provider): string {
  const page = `${location.pathname}${location.search}`.slice(basePath.length);
  return platform.address('beginOidc', { provider, to: page.startsWith('/sign-in') ? '/' : page });
}

const wantedKey = 'page wanted';

/** Remembers the current page, because the link of a mail opens another tab. */
export function rememberPage(): void {
  localStorage.setItem(wantedKey, `${location.pathname}${location.search}`);
}

/** Returns and forgets the page to which the link of a mail leads back. Undefined without a page or for other links. */
export function rememberedPage({ kind }: FoundLink): string | undefined {
  if (kind !== 'mail' && kind !== 'sign-up') return undefined;
  const page = localStorage.getItem(wantedKey);
  localStorage.removeItem(wantedKey);
  // Without the origin, a path that begins with two slashes would lead to another host.
  return page === null ? undefined : `${location.origin}${page}`;
}

/** The operation that redeems a code, by the name before it: `link` for `#link=…`, which is a link of the launcher. */
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

/** Redeems the code of a link. Only an invitation of a new person needs `account`. */
export async function followLink({ kind, code }: FoundLink, account: AcceptTeamInvitationFields = {}): Promise<void> {
  await platform.call(operations[kind], { parameters: { code }, body: account as Record<string, never> });
  await queries.resetQueries();
}

/** Returns the code after `#refused=`: why a provider's sign-in failed. Undefined if there is none. */
export function refusalOf(fragment: string): string | undefined {
  return /^#?refused=(\w+)$/.exec(fragment)?.[1];
}
