import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DecisionServiceService, type Tuple } from '@platform/proto/authz/v1/decision';
import { connect, sql } from '@platform/postgres';
import type { RpcClient } from '@platform/rpc';
import { as, type HttpClient, rpcClient, until } from '@platform/testing';
import { superuserOf } from '../faults/full-state-folder.ts';
import { documentedHttp } from '../src/documented.ts';
import { PlatformState, type RunFile } from '../src/launched-platform.ts';

/** A start and a stop, on a machine that is busy with other tests. */
const patience = 240_000;

interface Report {
  readonly ok: boolean;
  readonly checks: readonly { readonly area: string; readonly name: string; readonly ok: boolean }[];
  readonly repair?: { readonly tuplesRemoved: number };
}

let state: PlatformState;
let run: RunFile;
let engine: RpcClient<typeof DecisionServiceService>;
let admin: HttpClient;
let teamId: number;
let organizationId: number;

beforeAll(async () => {
  state = await PlatformState.create();
  run = await state.start().running();
  const serviceCredential = (await readFile(join(state.home, 'secrets/operator-credential'), 'utf8')).trim();
  engine = await rpcClient(DecisionServiceService, [run.grpc['authz']!], { serviceCredential });
  admin = documentedHttp(run.baseUrl).with({ authorization: `Bearer ${run.admin.token}` });
  const made = await admin.post('/api/v1/orgs', { json: { username: 'drifting' } });
  organizationId = made.json<{ id: number }>().id;
  const teams = (await admin.get('/api/v1/orgs/drifting/teams')).json<{ id: number; name: string }[]>();
  teamId = teams.find(({ name }) => name === 'Viewers')!.id;
}, patience);

afterAll(async () => {
  await state?.remove();
}, patience);

/** Runs `platform doctor`, which may find failures. */
async function doctor(...argv: string[]) {
  const { code, stdout } = await state.platform('doctor', ...argv, '--json');
  const report = JSON.parse(stdout) as Report;
  return { code, report, failed: report.checks.filter(({ ok }) => !ok).map(({ area, name }) => `${area} ${name}`) };
}

const passed = { code: 0, failed: [] };

async function stored(): Promise<Tuple[]> {
  const tuples: Tuple[] = [];
  let pageToken = '';
  do {
    const filters = [{ object: '', relation: '', user: '' }];
    const page = await engine.readTuples({ filters, pageSize: 100, pageToken }, as(undefined));
    tuples.push(...page.tuples);
    ({ pageToken } = page);
  } while (pageToken !== '');
  return tuples;
}

const textOf = ({ object, relation, user }: Tuple) => `${object}#${relation}@${user}`;
/** The tuples in the engine, without fences, which change with each write. */
const structure = async () => (await stored()).filter(({ relation }) => relation !== 'at').map(textOf).sort();

describe('platform doctor', () => {
  it('finds tuples planted by hand, and --repair puts them right while the platform is in use', async () => {
    // Services read their streams in the background after the start.
    await until(async () => (await doctor()).code === 0, { what: 'doctor finds nothing' });
    const before = await structure();
    const planted = [
      { user: `team:${teamId}#member`, relation: 'owner', object: `organization:${organizationId}` },
      { user: `team:${teamId}#member`, relation: 'owner', object: 'organization:7654321' },
    ];
    const right = { user: `team:${teamId}#member`, relation: 'viewer', object: `organization:${organizationId}` };
    await engine.writeTuples({ writes: planted, deletes: [right] }, as(undefined));
    const found = await doctor();
    expect(found).toMatchObject({ code: 1, failed: ['drift tuples', 'drift sequences'] });

    let repaired = false;
    const load = [1, 2].map(async (worker) => {
      const statuses = new Set<number>();
      for (let round = 0; !repaired || round < 5; round += 1) {
        const json = { name: `${worker}-${randomUUID().slice(0, 8)}`, type: 'kubernetes', permission: 'read' };
        statuses.add((await admin.post('/api/v1/orgs/drifting/teams', { json })).status);
        statuses.add((await admin.get('/api/v1/orgs/drifting/teams')).status);
      }
      return statuses;
    });
    const repair = await doctor('--repair');
    repaired = true;
    expect(repair).toMatchObject({ ...passed, report: { repair: { tuplesRemoved: 1 } } });
    for (const statuses of await Promise.all(load)) expect(statuses).toEqual(new Set([201, 200]));

    expect(await doctor()).toMatchObject(passed);
    const after = new Set(await structure());
    expect(before.filter((tuple) => !after.has(tuple))).toEqual([]);
    for (const tuple of planted) expect(after).not.toContain(textOf(tuple));
  }, patience);

  it('fills an emptied store again', async () => {
    const before = await structure();
    const everything = await stored();
    for (let from = 0; from < everything.length; from += 100) {
      await engine.writeTuples({ writes: [], deletes: everything.slice(from, from + 100) }, as(undefined));
    }
    expect(await structure()).toEqual([]);
    expect((await doctor()).code).toBe(1);
    expect(await doctor('--repair')).toMatchObject(passed);
    expect(await structure()).toEqual(before);
  }, patience);

  it('fails while PostgreSQL takes no writes, and names each service that is not ready', async () => {
    await using superuser = connect({ url: await superuserOf(state, run), applicationName: 'spec', maxConnections: 1 });
    const notReady = async () => (await state.parts()).filter(({ ready }) => !ready).map(({ name }) => name);
    await superuser.execute(sql`alter system set default_transaction_read_only = on`);
    await superuser.execute(sql`select pg_reload_conf()`);
    const writers = ['billing-dashboard', 'clusters', 'contracts-licensing', 'marketplace-listener', 'metricsproxy', 'orgs-teams'];
    const areAway = async () => {
      const away = await notReady();
      return writers.every((name) => away.includes(name));
    };
    await until(areAway, { within: 30_000, what: 'no service that writes is ready' });
    const found = await doctor();
    expect(found.code).toBe(1);
    expect(found.failed).toEqual(expect.arrayContaining(writers.flatMap((name) => [
      `parts ${name}`, `dependencies ${name}, writes to PostgreSQL`,
    ])));
    await superuser.execute(sql`set default_transaction_read_only = off`);
    await superuser.execute(sql`alter system reset default_transaction_read_only`);
    await superuser.execute(sql`select pg_reload_conf()`);
    await until(async () => (await notReady()).length === 0, { within: 30_000, what: 'all are ready' });
    expect(await doctor()).toMatchObject(passed);
  }, patience);
});
