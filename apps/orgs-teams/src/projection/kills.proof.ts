import { sql } from '@platform/postgres';
import { as, type ProofOptions, type ProofResult, seeded, type SeededRandom, tcpProxy, until } from '@platform/testing';
import { type AuthzGate, authzGate } from '../fixtures/authz-gate.ts';
import { operator, startPlatform, type TestPlatform } from '../fixtures/platform.ts';

export const name = 'projection-kills';
export const describe =
  'The tuples in the engine follow from the rows again after 100 failures: orgs-teams is killed at a random time or in '
  + 'a step of a settle, or its connection to authz is cut or held.';
export const servers = true;

const wholeRounds = 100;
/** Ways in which the process or its network fails at a random time. */
const disturbances = ['kill', 'cut', 'cut answers', 'hold and kill', 'hold and let go'] as const;
/** The steps at which the process is held and then killed. */
const steps = ['S1', 'S2', 'S3', 'before S4', 'after S4', 'S5'] as const;
type Step = (typeof steps)[number];
const ways = [...disturbances, ...steps] as const;

/** Makes random changes of one organization's structure with SQL. */
async function change(platform: TestPlatform, organizationId: number, random: SeededRandom): Promise<void> {
  const permission = random.pick(['read', 'write', 'admin', 'none']);
  const pair = random.pick(['view teams', 'create teams', 'edit teams', 'delete teams', 'manage members']);
  const changes = [
    sql`update team set permission = ${permission} where organization_id = ${organizationId} and name = 'Editors'`,
    sql`
      insert into role_permission (role_id, organization_id, namespace, action)
      select id, organization_id, 'team_mgmt', ${pair} from role where organization_id = ${organizationId}
      on conflict do nothing`,
    sql`delete from role_permission where organization_id = ${organizationId} and action = ${pair}`,
    sql`
      insert into team_role (role_id, team_id, organization_id)
      select role.id, team.id, role.organization_id from role join team using (organization_id)
       where role.organization_id = ${organizationId} and not team.is_owners
      on conflict do nothing`,
    sql`delete from team_role where organization_id = ${organizationId}`,
  ];
  await platform.database.execute(random.pick(changes));
}

/**
 * Kills orgs-teams and disturbs its connection to authz while rows change. Afterwards no unit may be pending, and no
 * tuple may differ from the rows.
 */
export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const random = seeded(seed);
  const rounds = Math.max(ways.length, Math.round(wholeRounds * share));
  let proxy: Awaited<ReturnType<typeof tcpProxy>> | undefined;
  let gate: AuthzGate | undefined;
  await using platform = await startPlatform({
    ownProcess: 'killed',
    authzThrough: async (address, serviceCredential) => {
      gate = await authzGate(address, serviceCredential);
      proxy = await tcpProxy(gate.address);
      return proxy.address;
    },
  });
  await using _gate = gate!;
  const owner = await platform.user();
  const { id } = await platform.organization(owner, { username: 'killed' });
  await platform.database.execute(sql`insert into role (organization_id, name) values (${id}, 'changed')`);
  const [replica] = platform.service.replicas;
  const counterexamples: string[] = [];
  const killed = new Map<Step, number>(steps.map((step) => [step, 0]));
  let slowest = 0;

  for (let round = 0; round < rounds; round += 1) {
    const way = ways[round % ways.length]!;
    if (isStep(way)) {
      await killIn(way, platform, gate!, () => change(platform, id, random));
      killed.set(way, killed.get(way)! + 1);
    } else {
      await disturb(way);
    }
    const begun = performance.now();
    try {
      await until(async () => (await pendingUnits(platform)) === 0, { what: 'nothing waits', within: 15_000 });
      slowest = Math.max(slowest, performance.now() - begun);
      const { differences } = await platform.admin.checkDrift({ organizationId: 0, limit: 5 }, as(undefined, 20_000));
      if (differences.length > 0) counterexamples.push(`round ${round} (${way}): ${JSON.stringify(differences)}`);
    } catch (error) {
      counterexamples.push(`round ${round} (${way}): ${String(error)}`);
    }
    if (round % 10 === 9) report(`${round + 1} of ${rounds} rounds, ${counterexamples.length} wrong`);
  }
  const { failingUnits } = await platform.admin.getStatus({}, operator());
  const perStep = [...killed].map(([step, times]) => `${step}: ${times}`).join(', ');
  return {
    figure: `${rounds} rounds, killed in ${perStep}; ${counterexamples.length} with a difference, slowest recovery `
      + `${Math.round(slowest)} ms`,
    holds: counterexamples.length === 0 && failingUnits.length === 0
      && [...killed.values()].every((times) => times >= Math.max(1, Math.floor(5 * share))),
    counterexamples,
  };

  async function disturb(way: (typeof disturbances)[number]): Promise<void> {
    const changes = random.integer(1, 6);
    for (let count = 0; count < changes; count += 1) {
      await change(platform, id, random);
      // The disturbance comes after a random number of bytes of the settle, so every step is tested.
      const met = proxy!.bytes.toTarget + random.integer(0, 4_000);
      if (count === changes - 1) {
        const reached = until(() => proxy!.bytes.toTarget >= met, { what: 'the settle got so far', within: 300 });
        await reached.catch(() => undefined);
      }
    }
    if (way === 'cut') proxy!.cut();
    if (way === 'cut answers') proxy!.cutAfter(random.integer(0, 400));
    if (way.startsWith('hold')) proxy!.hold();
    await change(platform, id, random);
    if (way.endsWith('kill')) {
      await replica.kill();
      // Writes in transit from the dead process arrive late.
      await change(platform, id, random);
      await proxy!.release();
      await replica.restart();
    }
    await proxy!.release();
  }
}

const isStep = (way: (typeof ways)[number]): way is Step => (steps as readonly string[]).includes(way);

/** Holds a settle at a step and kills the process there. */
async function killIn(step: Step, platform: TestPlatform, gate: AuthzGate, change: () => Promise<void>): Promise<void> {
  const [replica] = platform.service.replicas;
  const { database } = platform;
  const inDatabase = step === 'S2' || step === 'S5';
  const held = step === 'S2' ? 'S1' : step === 'S5' ? 'before S4' : step;
  const reached = gate.hold(held);
  // Some random changes change nothing, so make changes until a settle reaches the step.
  const arrived = reached.then(() => true);
  for (let isThere = false; !isThere;) {
    // S1 asks the engine only if no fence is stored.
    if (held === 'S1') await database.execute(sql`delete from noted_fence`);
    await change();
    isThere = await Promise.race([arrived, settled(platform).then(() => false)]);
  }
  if (!inDatabase) {
    await replica.kill();
    await change();
  } else {
    await database.transact(async (transaction) => {
      await transaction.query(step === 'S2'
        ? sql`lock table projection_shape in access exclusive mode`
        : sql`select from projection_pending for update`);
      gate.release();
      await until(() => waitsForLock(platform), { what: `the settle is in ${step}` });
      await replica.kill();
    });
    await change();
  }
  await replica.restart();
  // The dead process's write arrives after all changes have been written by the new process.
  await settled(platform);
  gate.release();
}

async function settled(platform: TestPlatform): Promise<void> {
  await until(async () => (await pendingUnits(platform)) === 0, { what: 'nothing waits', within: 60_000 });
}

/** Whether a session waits for a lock in this database. */
async function waitsForLock({ database }: TestPlatform): Promise<boolean> {
  const { waits } = await database.one(sql<{ waits: boolean }>`
    select exists (
             select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           ) as "waits"`);
  return waits;
}

async function pendingUnits({ database }: TestPlatform): Promise<number> {
  const { pending } = await database.one(sql<{ pending: number }>`select count(*) as "pending" from projection_pending`);
  return pending;
}
