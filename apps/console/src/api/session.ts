import { ApiRefusal, type CurrentSession, type User } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { basePath, hasCookies } from './page.ts';
import { platform, queries, sessionKey } from './client.ts';

/** Who is signed in (open-points 18.3). */
export type SignedIn = CurrentSession & { readonly user: User };

export const useMyOrganizations = () => {
  const session = useSession();
  return useQuery({
    queryKey: ['my organizations'],
    enabled: Boolean(session.data),
    queryFn: () => platform.call('listUserOrganizations'),
  });
};

let isKnownAsNone = !hasCookies;

/** Reads the session; null when nobody is signed in. */
async function readSession(): Promise<SignedIn | null> {
  if (isKnownAsNone) {
    isKnownAsNone = false;
    return null;
  }
  try {
    return (await platform.call('getSession')) as SignedIn;
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 401) return null;
    throw error;
  }
}

export const useSession = () => useQuery({ queryKey: sessionKey, queryFn: readSession, staleTime: 60_000 });

export async function signInByToken(token: string): Promise<void> {
  await platform.call('signInByToken', { body: { token } });
  await queries.invalidateQueries();
}

/** Signs out, and removes the person's data from this tab. */
export async function signOut(): Promise<void> {
  await platform.call('signOut', { body: {} });
  sessionStorage.clear();
  location.assign(`${basePath}/`);
}
