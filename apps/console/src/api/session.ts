import { ApiRefusal, type User } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { basePath, hasCookies } from './page.ts';
import { platform, queries, sessionKey } from './client.ts';

/** Who is signed in (open-points 18.3). */
export interface Session {
  readonly user: User;
  /** Absent for a token without end. */
  readonly expiresAt?: string;
  readonly via: 'token' | 'mail' | 'oidc' | 'link';
}

const auth = <T>(method: 'GET' | 'POST', path: string, body?: unknown) => request<T>(method, `/auth/${path}`, body);

/** A route that the client has no operation for. @throws ApiRefusal */
export async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${basePath}${path}`, {
    method,
    signal: AbortSignal.timeout(30_000),
    ...(method !== 'GET' && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body ?? {}) }),
  });
  const text = await response.text();
  if (response.status >= 400) throw new ApiRefusal(response.status, read(text), undefined);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** Organizations that the caller is a member of. */
export const useMyOrganizations = () => {
  const session = useSession();
  return useQuery({
    queryKey: ['my organizations'],
    enabled: Boolean(session.data),
    queryFn: () => platform.call('listUserOrganizations'),
  });
};

function read(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}

let isKnownAsNone = !hasCookies;

/** Null when nobody is signed in. */
async function readSession(): Promise<Session | null> {
  if (isKnownAsNone) {
    isKnownAsNone = false;
    return null;
  }
  try {
    return await auth<Session>('GET', 'session');
  } catch (error) {
    if (error instanceof ApiRefusal && (error.status === 401 || error.status === 404)) return null;
    throw error;
  }
}

export const useSession = () => useQuery({ queryKey: sessionKey, queryFn: readSession, staleTime: 60_000 });

export async function signInByToken(token: string): Promise<void> {
  await auth('POST', 'sign-in/token', { token });
  await queries.invalidateQueries();
}

/** Leaves nothing of the person in this tab. */
export async function signOut(): Promise<void> {
  await auth('POST', 'sign-out');
  sessionStorage.clear();
  location.assign(`${basePath}/`);
}
