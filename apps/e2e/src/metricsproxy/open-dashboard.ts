import type { ServiceSettings } from '@platform/testing';
import type { MetricsWorld } from './metrics-world.ts';

type Flavor = 'flavora' | 'flavorb';

/**
 * A real Grafana or Perses, named by the environment: `TEST_FLAVORA_URL` with `TEST_FLAVORA_CREDENTIAL` (a token of a
 * service account, or `user:password`), and the same for `TEST_FLAVORB`. Fakes are used for the others.
 */
function realOf(flavor: Flavor): { readonly url: string; readonly credential: string } | undefined {
  const name = `TEST_${flavor.toUpperCase()}`;
  const { [`${name}_URL`]: url, [`${name}_CREDENTIAL`]: credential = '' } = process.env;
  return url === undefined ? undefined : { url, credential };
}

/** Settings for the real dashboards that the environment names. */
export function realDashboards(): ServiceSettings {
  return Object.fromEntries((['flavora', 'flavorb'] as const).flatMap((flavor) => {
    const real = realOf(flavor);
    return real === undefined ? [] : [[`${flavor}.url`, real.url], [`${flavor}.credential`, real.credential]];
  }));
}

/** In the spec of dashboards, the fakes accept the other form of credential than in all other specs. */
export const otherCredentials = { grafana: 'platform:grafana-password', perses: 'perses-token' };

/** Returns a function that reads a dashboard over the dashboard's own API. */
export async function openDashboard(
  { grafana, perses }: MetricsWorld, flavor: Flavor,
): Promise<(path: string) => Promise<{ status: number; json: unknown }>> {
  const { url, credential } = realOf(flavor) ?? (flavor === 'flavora'
    ? { url: grafana.url, credential: otherCredentials.grafana }
    : { url: perses.url, credential: otherCredentials.perses });
  const authorization = flavor === 'flavorb' && credential.includes(':')
    ? `Bearer ${await logIn(url, credential)}`
    : credential.includes(':') ? `Basic ${Buffer.from(credential).toString('base64')}` : `Bearer ${credential}`;
  return async (path) => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization } });
    return { status: answer.status, json: await answer.json().catch(() => undefined) };
  };
}

async function logIn(url: string, credential: string): Promise<string> {
  const [login, ...password] = credential.split(':');
  const answer = await fetch(`${url}/api/auth/providers/native/login`, {
    method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login, password: password.join(':') }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}
