import { operatorOf } from '../operator.ts';
import type { RunningPlatform } from '../platform.ts';

/** Something to attack: an organization with a team, a role and callers of several kinds. */
export interface AttackWorld {
  /** Tokens by caller; undefined for the caller without a token. */
  readonly tokens: Readonly<Record<'nobody' | 'outsider' | 'owner' | 'site admin', string | undefined>>;
  /** Values that exist, so that attacks get past the first look-up. */
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

export async function attackWorld(platform: RunningPlatform): Promise<AttackWorld> {
  await using operator = await operatorOf(platform);
  const [outsider, owner, member] = [
    await operator.user('outsider'), await operator.user('owner'), await operator.user('member'),
  ];
  const as = platform.http.with({ authorization: `Bearer ${owner.token}` });
  const { id } = (await as.post('/api/v1/orgs', { json: { username: 'acme' } })).json<{ id: number }>();
  const teams = (await as.get('/api/v1/orgs/acme/teams')).json<{ id: number }[]>();
  const role = await as.post('/api/v1/authz/roles?org=acme', {
    json: { name: 'readers', permissions: [{ namespace: 'team_mgmt', action: 'view teams' }] },
  });
  return {
    tokens: { nobody: undefined, outsider: outsider.token, owner: owner.token, 'site admin': platform.adminToken },
    texts: [
      'acme', 'owner', 'member', 'readers', 'team', 'organization', 'read', 'custom', 'kubernetes', 'add', 'remove',
    ],
    numbers: [id, member.id, outsider.id, ...teams.map((team) => team.id), role.json<{ id?: number }>().id ?? 1],
  };
}
