import { type Api, openApi } from '@platform/lab';
import { sql } from '@platform/postgres';
import { until } from '@platform/testing';
import { outcome } from '../orgs/world.ts';
import { clientCalls } from './client-calls.ts';
import { find, type HubWorld, paths } from './hub-world.ts';

/** Creates and deletes client organizations while the service is repeatedly unavailable. */
export interface ClientLives extends AsyncDisposable {
  readonly prefix: string;
  /** Name of the spoke that is added and deleted. */
  readonly added: string;
  /**
   * Creates a client organization on one spoke, adds and deletes another spoke, deletes the organization; repeats
   * interrupted calls.
   * @returns what went wrong
   */
  live(): Promise<string[]>;
  /** Objects of deleted client organizations that still exist. */
  leftovers(): Promise<string[]>;
  /** Manifest works that only read, on both spokes. */
  probes(): Promise<{ readonly name: string; /** Unix milliseconds. */ readonly expires: number }[]>;
}

interface Work {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/** Time limit for reaching a state while the service is killed repeatedly. */
const settledMs = 180_000;

export async function clientLives(hub: HubWorld): Promise<ClientLives> {
  const [first, second] = await Promise.all(
    hub.lab.spokes.map(async ({ name, kubeconfig }) => ({ name, api: await openApi(kubeconfig) })),
  );
  const calls = clientCalls(() => hub, { change: 40_000, removal: 40_000, status: settledMs });
  const { post, statusOf } = calls;
  const prefix = `${hub.prefix}-life-`;
  const over = new Set<number>();
  let made = 0;
  const settled = (what: string, isSo: () => Promise<boolean>) => until(isSo, { within: settledMs, what });
  const named = calls.named(second!.name);
  const worksOn = async (spoke: string) => (await hub.api.call('GET', paths.works(spoke)) as { items: Work[] }).items;
  const hasWork = async (spoke: string, id: number) =>
    (await worksOn(spoke)).some(({ metadata }) => metadata.name === `client-org-${id}`);
  /** How many of the two a spoke has: the work of an organization, and its namespace. */
  const partsOn = async ({ name: spoke, api }: { name: string; api: Api }, name: string, id: number) =>
    Number(await hasWork(spoke, id)) + Number(await find(api, `/api/v1/namespaces/${name}`) !== undefined);

  async function create(name: string): Promise<number> {
    await settled(`${name} is created`, async () =>
      (await post('create', calls.params(name, first!.name))).status === 200 || await statusOf(name) === 'Active');
    const clients = await until(async () => {
      const answer = await hub.world.siteAdmin.http.get('/api/v1/user/clients');
      return answer.status === 200 && answer.json<{ id: number; username: string }[]>();
    }, { within: settledMs, what: 'the client organizations are listed' });
    const own = clients.filter(({ username }) => username === name);
    if (own.length !== 1) throw new Error(`${name} is listed ${own.length} times`);
    return own[0]!.id;
  }

  return {
    prefix, added: second!.name,
    live: async () => {
      const name = `${prefix}${(made += 1)}`;
      const wrong: string[] = [];
      const id = await create(name);
      await settled(`${name} is on its first spoke`, async () => await partsOn(first!, name, id) === 2);
      const { count } = await hub.world.database.one(sql<{ count: number }>`
        select count(*) as "count" from account where name in (${name}, ${`${name}-boss`})`);
      if (count !== 2) wrong.push(`${name}: ${count} accounts, not one organization and one user`);
      await settled(`${name} has a second spoke`, async () =>
        /^(200|400 already_imported)$/.test(outcome(await post(`${name}/add-cluster`, named))));
      await settled(`${name} is on its second spoke`, async () => await partsOn(second!, name, id) === 2);
      const done = /^(200|404 not_found)$/;
      await settled(`${name} gives it back`, async () =>
        done.test(outcome(await post(`${name}/delete-cluster`, named))));
      await settled(`${name} has one spoke`, async () => await calls.clusterStatus(name, second!.name) === 'Deleted');
      if (await partsOn(second!, name, id) > 0) wrong.push(`${name}: something is left on the spoke that it gave back`);
      if (await partsOn(first!, name, id) < 2) wrong.push(`${name}: its first spoke was emptied`);
      await settled(`${name} is being deleted`, async () => done.test(outcome(await calls.remove(id))));
      await calls.untilStatus(name, 'Deleted');
      over.add(id);
      return wrong;
    },
    leftovers: async () => {
      const wrong: string[] = [];
      for (const { name: spoke, api } of [first!, second!]) {
        for (const { metadata } of await worksOn(spoke)) {
          if ([...over].some((id) => metadata.name === `client-org-${id}`)) wrong.push(`${metadata.name} on the hub`);
        }
        const { items } = await api.call('GET', '/api/v1/namespaces') as { items: Work[] };
        wrong.push(...items.filter(({ metadata }) => metadata.name.startsWith(prefix))
          .map(({ metadata }) => `the namespace ${metadata.name} on ${spoke}`));
      }
      const accounts = await hub.world.database.query(sql<{ name: string }>`
        select name from account where name like ${`${prefix}%`} and kind = 'organization'`);
      return [...wrong, ...accounts.map(({ name }) => `the account ${name}`)];
    },
    probes: async () => (await Promise.all([first!, second!].map((spoke) => worksOn(spoke.name)))).flat()
      .filter(({ metadata }) => metadata.labels?.['platform.dev/probe'] === 'true')
      .map(({ metadata }) => ({
        name: metadata.name, expires: Date.parse(metadata.annotations!['platform.dev/expires-at']!),
      })),
    [Symbol.asyncDispose]: async () => {
      for (const { api } of [first!, second!]) api[Symbol.dispose]();
    },
  };
}
