import { sql } from '@platform/postgres';
import type { ExampleWorld } from '../examples/example-world.ts';
import type { ExampleOrganization } from '../examples/names.ts';
import { openRowDigests } from '../row-digest.ts';
import type { Attack } from './try-isolation.ts';

/** A private organization of other people, and one of the attackers, each with all things that the examples name. */
export interface Attacked extends Attack, AsyncDisposable {
  readonly theirs: ExampleOrganization;
  readonly ours: ExampleOrganization;
}

export async function attackedOf({ world, another }: ExampleWorld): Promise<Attacked> {
  await using stack = new AsyncDisposableStack();
  const accountIds = () => world.database.query(sql<{ id: number }>`select id from account`);
  const before = new Set((await accountIds()).map(({ id }) => id));
  const theirs = await another();
  const json = { visibility: 'private' };
  const hidden = await theirs.owner.http.patch(`/api/v1/orgs/${theirs.organization.username}`, { json });
  if (hidden.status !== 200) throw new Error(hidden.text);
  const accounts = (await accountIds()).map(({ id }) => id).filter((id) => !before.has(id));
  const ours = await another();
  const { username, teams } = ours.organization;
  const viewer = await world.person();
  await world.join(ours.owner, teams.Viewers, viewer);
  const digests = await Promise.all(Object.entries(world.platform.databases).map(async ([service, database]) =>
    [service, stack.use(await openRowDigests(database, accounts))] as const));
  const rows = async () =>
    JSON.stringify(await Promise.all(digests.map(async ([service, one]) => ({ service, rows: await one.take() }))));
  let known = await rows();
  const opened = stack.move();
  return {
    theirs, ours, http: world.platform.http,
    tokens: {
      owner: ours.owner.token, viewer: viewer.token, nobody: undefined,
      'system admin': await world.operator.systemAdminToken(username),
    },
    changes: async () => {
      const [before, now] = [known, await rows()];
      known = now;
      return now === before ? undefined : `${before} to ${now}`;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
