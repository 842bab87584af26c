import { randomUUID } from 'node:crypto';
import type { HttpClient } from '@platform/testing';

/** Makes an access token of the person who calls, with these scopes alone (open-points 18.2). */
export async function narrowToken(client: HttpClient, ...scopes: readonly string[]): Promise<string> {
  const { login } = (await client.get('/api/v1/user')).json<{ login: string }>();
  const made = await client.post(`/api/v1/users/${login}/tokens`, { json: { name: randomUUID(), scopes } });
  if (made.status !== 201) throw new Error(`no token with ${scopes.join(' and ')}: ${made.status} ${made.text}`);
  return made.json<{ sha1: string }>().sha1;
}
