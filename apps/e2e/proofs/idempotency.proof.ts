import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '@platform/postgres';
import { type ProofOptions, type ProofResult, type Replica, seeded, type SeededRandom } from '@platform/testing';
import { type Organization, type Person, startWorld, type World } from '../src/orgs/world.ts';
import { organizationHosts } from '../src/platform.ts';

export const name = 'idempotency';
export const describe = '100 equal POSTs with one Idempotency-Key at once, 1,000 times, while replicas of orgs-teams, authz and '
  + 'the gateway are killed and connections to PostgreSQL cut: one thing is made, and all get one answer, its secret included.';
export const servers = true;

const wholeRounds = 1_000;
const requestsOfRound = 100;
/** How long a client repeats its request, in milliseconds. */
const patienceMs = 60_000;

interface Round {
  readonly world: World;
  readonly person: Person;
  readonly organization: Organization;
  readonly random: SeededRandom;
}

/** An object to create: the request, and the function that counts such objects. */
interface Thing {
  readonly path: string;
  readonly json: Readonly<Record<string, unknown>>;
  count(database: World['database']): Promise<number>;
}

const things: readonly ((round: Round, label: string) => Thing)[] = [
  ({ person: { id, username } }, label) => ({
    path: `/api/v1/users/${username}/tokens`, json: { name: label },
    count: (database) => counted(database, sql`select from access_token where account_id = ${id} and name = ${label}`),
  }),
  (_, label) => ({
    path: '/api/v1/orgs', json: { username: label },
    count: (database) => counted(database, sql`select from account where name = ${label}`),
  }),
  ({ organization: { id, username } }, label) => ({
    path: `/api/v1/orgs/${username}/teams`, json: { name: label, type: 'kubernetes', permission: 'read' },
    count: (database) => counted(database, sql`select from team where organization_id = ${id} and name = ${label}`),
  }),
  ({ organization: { id, username } }, label) => ({
    path: `/api/v1/authz/roles?org=${username}`,
    json: { name: label, permissions: [{ namespace: 'team_mgmt', action: 'view teams' }] },
    count: (database) => counted(database, sql`select from role where organization_id = ${id} and name = ${label}`),
  }),
];

async function counted(database: World['database'], rows: ReturnType<typeof sql>): Promise<number> {
  return (await database.query(rows)).length;
}

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  await using world = await startWorld({
    hosts: organizationHosts, replicas: { 'orgs-teams': 2, 'gateway': 2 },
    ownProcess: { of: ['orgs-teams', 'authz', 'gateway'], because: 'killed' },
  });
  const random = seeded(seed);
  const rounds = Math.max(1, Math.round(wholeRounds * share));
  const counterexamples: string[] = [];
  let [repeats, replays] = [0, 0];
  const person = await world.person();
  const organization = await world.organization(person);
  for (let round = 0; round < rounds && counterexamples.length < 5; round += 1) {
    const thing = random.pick(things)({ world, person, organization, random }, `r${round}-${randomUUID().slice(0, 8)}`);
    const key = randomUUID();
    const disturbed = disturb(world, random);
    const answers = await Promise.all(Array.from({ length: requestsOfRound }, (_, index) =>
      untilAnswered(world, person, thing, key, index)));
    await disturbed;
    repeats += answers.reduce((sum, { attempts }) => sum + attempts - 1, 0);
    replays += answers.filter(({ replayed }) => replayed).length;
    const distinct = new Set(answers.map(({ text }) => text));
    const made = await thing.count(world.database);
    if (distinct.size !== 1 || made !== 1) {
      counterexamples.push(`round ${round} of seed ${seed}, ${thing.path}: ${made} made, ${distinct.size} answers`);
    }
    if ((round + 1) % 20 === 0) report(`${round + 1} of ${rounds} rounds, ${repeats} repeats`);
  }
  return {
    figure: `${rounds} rounds of ${requestsOfRound} equal requests (${repeats} repeated, ${replays} replayed), `
      + `${counterexamples.length} with other than one thing and one answer`,
    holds: counterexamples.length === 0 && replays > 0,
    counterexamples,
  };
}

/** Repeats a request like a client until it is answered, alternating between the gateways. */
async function untilAnswered(
  { platform }: World, { token }: Person, { path, json }: Thing, key: string, index: number,
): Promise<{ text: string; attempts: number; replayed: boolean }> {
  const end = performance.now() + patienceMs;
  const headers = { 'authorization': `token ${token}`, 'idempotency-key': key };
  for (let attempts = 1; ; attempts += 1) {
    const gateway = platform.gateways[(index + attempts) % platform.gateways.length]!;
    const answer = await gateway.post(path, { json, headers }).catch(() => undefined);
    const isOpen = answer === undefined || answer.status >= 500 || answer.status === 409 || answer.status === 429;
    if (!isOpen || performance.now() > end) {
      const text = answer === undefined ? 'no answer' : `${answer.status} ${answer.text}`;
      return { text, attempts, replayed: answer?.header('idempotent-replayed') === 'true' };
    }
    await pause(20 + 30 * (attempts % 5));
  }
}

/** Kills a part at a random time of the round and restarts it, or cuts the connections to PostgreSQL. */
async function disturb({ platform, database }: World, random: SeededRandom): Promise<void> {
  const parts: readonly Replica[] = ['orgs-teams', 'orgs-teams', 'authz', 'gateway'].flatMap((service) =>
    platform.services[service as 'gateway'].replicas);
  const part = random.integer(0, parts.length);
  await pause(random.integer(0, 150));
  if (part < parts.length) {
    await parts[part]!.kill();
    await parts[part]!.restart();
    return;
  }
  await database.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'spec'`);
}
