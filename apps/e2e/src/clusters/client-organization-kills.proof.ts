import { setTimeout as pause } from 'node:timers/promises';
import { addJobs, runNow } from '@platform/jobs';
import { connect, type Database, sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import {
  type ProofOptions, type ProofResult, type Replica, seeded, type SeededRandom, type TestDatabase, until,
} from '@platform/testing';
import { clientLives, type ClientLives } from './client-lives.ts';
import { startHubWorld } from './hub-world.ts';

export const name = 'client-organization-kills';
export const describe = 'Client organizations are created, get a spoke, lose it and are deleted, while the service is killed '
  + '200 times right after it has stored one of the steps: each ends as one organization with one user, then as nothing.';
export const servers = true;

const wholeKills = 200;
const mostLanes = 8;
/** How long to wait until a step is reached, and how long to block the next step meanwhile. */
const arrivalMs = 120_000;
const heldMs = 150_000;

interface Killing {
  readonly service: Replica;
  /** The database of the service; `accounts` is that of orgs-teams. */
  readonly rows: Database;
  readonly accounts: Database;
  readonly lives: ClientLives;
  readonly random: SeededRandom;
}

/** Kills the service after an object has reached a stored step, before or during the next step. */
type KillAfter = (killing: Killing) => Promise<void>;

const steps: Readonly<Record<string, KillAfter>> = {
  'wanted, without an account': async (killing) => {
    await killing.accounts.transact(async (transaction) => {
      await transaction.execute(sql`lock table client_organization_creation in access exclusive mode`);
      await comeTo(killing, clientsIn('creating'));
      await killSoon(killing, 200);
    }, { deadline: deadlineIn(heldMs) });
  },
  'account made, not noted': async (killing) => {
    await killing.rows.transact(async (noting) => {
      const name = await killing.accounts.transact(async (making) => {
        await making.execute(sql`lock table client_organization_creation in access exclusive mode`);
        const [id] = await comeTo(killing, clientsIn('creating'));
        return (await noting.one(sql<{ name: string }>`
          select name from client_organization where id = ${id} for update`)).name;
      }, { deadline: deadlineIn(heldMs) });
      const account = () => killing.accounts.maybeOne(sql<object>`select from account where name = ${name}`);
      await until(account, { within: 20_000, what: `the account ${name} is made` });
      await killSoon(killing, 200);
    }, { deadline: deadlineIn(heldMs) });
  },
  'created': killAfterArrival(clientsIn('active')),
  'spoke added': killAfterArrival(addedSpokeIn('active')),
  'spoke being deleted': killAfterArrival(addedSpokeIn('deleting')),
  'closing': async (killing) => {
    await comeTo(killing, clientsIn('active'));
    await killing.accounts.transact(async (transaction) => {
      await transaction.execute(sql`
        select from organization where id in (select id from account where name like ${`${killing.lives.prefix}%`})
           for update`);
      await comeTo(killing, clientsIn('closing'));
      await killSoon(killing, 200);
    }, { deadline: deadlineIn(heldMs) });
  },
  'deleting': killAfterArrival(clientsIn('deleting')),
};

/** Selects the ids of objects in a step. */
type InStep = (lives: ClientLives) => ReturnType<typeof sql<{ id: number }>>;

function clientsIn(state: string): InStep {
  return ({ prefix }) => sql`select id from client_organization where state = ${state} and name like ${`${prefix}%`}`;
}

/** The spoke that is added and deleted during the life of the organization. */
function addedSpokeIn(state: string): InStep {
  return ({ added, prefix }) => sql`
    select cluster.id from client_cluster cluster join client_organization client on client.id = client_id
     where cluster.name = ${added} and cluster.state = ${state} and client.state = 'active'
       and client.name like ${`${prefix}%`}`;
}

const idsOf = async ({ rows, lives }: Killing, inStep: InStep) => (await rows.query(inStep(lives))).map(({ id }) => id);

/** Waits until an object that was not in this step before reaches it. @returns the ids */
async function comeTo(killing: Killing, inStep: InStep, before: ReadonlySet<number> = new Set()): Promise<number[]> {
  return await until(async () => {
    const fresh = (await idsOf(killing, inStep)).filter((id) => !before.has(id));
    return fresh.length > 0 && fresh;
  }, { within: arrivalMs, what: 'something has come to the step' });
}

function killAfterArrival(inStep: InStep): KillAfter {
  return async (killing) => {
    await comeTo(killing, inStep, new Set(await idsOf(killing, inStep)));
    await killSoon(killing, 400);
  };
}

async function killSoon({ random, service }: Killing, mostMs: number): Promise<void> {
  await pause(random.integer(0, mostMs));
  await service.kill();
}

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  await using hub = await startHubWorld({ ownProcess: { of: ['clusters'], because: 'killed' } });
  const random = seeded(seed);
  const { databases } = hub.world.platform;
  const open = ({ url, schema }: TestDatabase) =>
    connect({ url, schema, applicationName: 'proof', maxConnections: 2, statementTimeout: heldMs });
  await using rows = open(databases.clusters);
  await using accounts = open(databases['orgs-teams']);
  await using lives = await clientLives(hub);
  const [service] = hub.world.platform.services.clusters.replicas;
  const killing: Killing = { service: service!, rows, accounts, lives, random };
  const names = Object.keys(steps);
  const kills = Math.max(1, Math.round(wholeKills * share));
  const counterexamples: string[] = [];
  let isOver = false;
  let lived = 0;
  const lane = async () => {
    while (!isOver) {
      counterexamples.push(...await lives.live());
      lived += 1;
    }
  };
  const lanes = Array.from({ length: Math.min(mostLanes, Math.ceil(kills / 4)) }, () => lane().catch((error: unknown) => {
    isOver = true;
    counterexamples.push(String(error));
  }));
  let killed = 0;
  try {
    for (; killed < kills && !isOver; killed += 1) {
      // Take every other step, so that a few kills cover one organization from creation to deletion.
      const step = names[killed * 2 % names.length]!;
      await steps[step]!(killing);
      await service!.restart();
      if ((killed + 1) % 20 === 0) report(`${killed + 1} of ${kills} kills, ${lived} lives`);
    }
  } finally {
    isOver = true;
    await Promise.all(lanes);
  }
  const left = [await lives.leftovers(), await registryLeft(rows, lives), await probesLeft(rows, lives)];
  counterexamples.push(...left.flat());
  return {
    figure: `${killed} kills at ${names.length} stored steps, ${lived} client organizations: each was one with one `
      + 'user, and nothing of them is left on hub or spokes',
    holds: counterexamples.length === 0, counterexamples: counterexamples.map((one) => `seed ${seed}: ${one}`),
  };
}

/** Rows that the service still has about deleted organizations. */
async function registryLeft(rows: Database, { prefix }: ClientLives): Promise<string[]> {
  const left = await rows.query(sql<{ name: string; state: string }>`
    select name, state from client_organization client
     where name like ${`${prefix}%`}
       and (state <> 'deleted'
            or exists (select from cluster where owner_id = client.organization_id)
            or exists (select from client_cluster where client_id = client.id and state <> 'deleted'))`);
  return left.map(({ name: client, state }) => `rows of ${client}, which is ${state}`);
}

/** Manifest works that only read and that a kill has left on the hub: they expire and are then deleted. */
async function probesLeft(rows: Database, lives: ClientLives): Promise<string[]> {
  const now = await lives.probes();
  if (now.length === 0) return [];
  const last = Math.max(...now.map(({ expires }) => expires));
  await until(() => Date.now() > last, { within: 30_000, what: 'the probes have expired' });
  await addJobs(rows, [runNow('expired-probes')]);
  const gone = async () => {
    const names = new Set((await lives.probes()).map((probe) => probe.name));
    return now.every((probe) => !names.has(probe.name));
  };
  return await until(gone, { within: 30_000, what: 'the probes are gone' }).then(() => [], (error: Error) => [error.message]);
}
