import { openBrowser } from '../../src/orgs/browser.ts';
import type { Organization, Person, World } from '../../src/orgs/world.ts';
import { done, type Way } from './way.ts';

/** The common address of all gateways, so that one cookie is valid for them. */
export const baseUrl = 'https://platform.example.org';

export const asPage = (session: string) => ({
  'cookie': `__Host-session=${session}`, 'origin': baseUrl, 'sec-fetch-site': 'same-origin',
});

async function signIn(world: World, token: string): Promise<string> {
  const browser = openBrowser(world, baseUrl);
  await done(() => browser.post('/auth/sign-in/token', { token }));
  return browser.cookies.get('__Host-session')!;
}

/** A session has its person's rights while the person has them, and ends with its token. */
export function overSession(world: World, { name, give }: Way): Way {
  return {
    name: `${name}, over a session`,
    give: async () => {
      const right = await give();
      return { ...right, session: await signIn(world, right.token) };
    },
  };
}

/** Revokes by signing out: only the session ends, not the token. */
export async function signedOut(world: World, owner: Person, { teams }: Organization): Promise<Way> {
  const user = await world.person();
  await world.join(owner, teams.Viewers, user);
  return {
    name: 'signed out',
    give: async () => {
      const session = await signIn(world, user.token);
      const signOut = () => world.nobody.post('/auth/sign-out', { json: {}, headers: asPage(session) });
      return { token: user.token, session, take: async () => void (await done(signOut)) };
    },
  };
}
