import { randomUUID } from 'node:crypto';
import { type HttpAnswer, type ProofOptions, type ProofResult, seeded, type SeededRandom, until } from '@platform/testing';
import { outcome } from '../orgs/world.ts';
import { type Event, type Model, nothing, possible } from './order-oracle.ts';
import { newApplication, short, startSubscriptionWorld, type SubscriptionWorld } from './subscription-world.ts';

export const name = 'marketplace-order';
export const describe = '5,000 random walks of notifications, out of order, twice and at once, with kill -9 of the listener, '
  + 'contracts-licensing and orgs-teams: state, contracts and audit are those of an order in which they may have arrived.';
export const servers = true;

const wholeWalks = 5_000;
/** Number of concurrent walks between two kills. */
const atOnce = 4;
const killed = ['marketplace-listener', 'contracts-licensing', 'orgs-teams'] as const;

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  await using world = await startSubscriptionWorld('B', { ownProcess: { of: killed, because: 'killed' } });
  const random = seeded(seed);
  const walks = Math.max(atOnce, Math.round(wholeWalks * share));
  const counterexamples: string[] = [];
  let [done, kills, sent] = [0, 0, 0];
  while (done < walks && counterexamples.length === 0) {
    const seeds = Array.from({ length: Math.min(atOnce, walks - done) }, () => random.integer(1, 2 ** 31));
    const begun = { sent: 0 };
    const running = Promise.all(seeds.map((own) => walk(world, own, () => (begun.sent += 1))));
    // Every second round has a kill, at a random point of its first half.
    if (random.chance(0.5)) {
      const [replica] = world.platform.services[random.pick(killed)].replicas;
      const moment = random.integer(0, 10);
      await until(() => begun.sent >= moment, { within: 60_000, what: 'notifications are under way' });
      await replica.kill();
      await replica.restart();
      kills += 1;
    }
    for (const [index, result] of (await running).entries()) {
      sent += result.sent;
      if (result.wrong !== undefined) counterexamples.push(`walk ${seeds[index]} of seed ${seed}: ${result.wrong}`);
    }
    done += seeds.length;
    if (done % 100 < atOnce) report(`${done} of ${walks} walks, ${kills} kills`);
  }
  return {
    figure: `${done} walks of ${sent} notifications with ${kills} kills, ${counterexamples.length} wrong`,
    holds: counterexamples.length === 0, counterexamples,
  };
}

/** Tests one application: sends notifications in batches, each until it is answered, then compares the state. */
async function walk(world: SubscriptionWorld, seed: number, sending: () => unknown) {
  const random = seeded(seed);
  const application = newApplication();
  const installers = await Promise.all([0, 1].map(() => untilAnswered(() => world.installer('ProviderB', { owner: 'administration' }))));
  const clusters = [randomUUID(), randomUUID()];
  const events = eventsOf(random);
  let models: readonly Model[] = [nothing];
  let sent = 0;
  for (let next = 0; next < events.length;) {
    const batch = events.slice(next, next + random.integer(1, 3));
    next += batch.length;
    const answers = await Promise.all(batch.map(async (event) => {
      sent += 1;
      sending();
      return { event, ...await send(world, application, event, installers, clusters) };
    }));
    models = possible(models, answers);
    if (models.length === 0) return { sent, wrong: `no order explains ${JSON.stringify(answers)}` };
  }
  const seen = await untilAnswered(() => look(world, application));
  const expected = models.map(shownAs);
  return { sent, wrong: expected.includes(seen) ? undefined : `${seen} instead of ${expected.join(' or ')}` };
}

/** Some events, some of them twice. Times are out of order. */
function eventsOf(random: SeededRandom): Event[] {
  const fresh = Array.from({ length: random.integer(3, 7) }, (_, id): Event => {
    const time = random.integer(0, 20);
    switch (random.integer(0, 9)) {
      case 0: case 1: case 2: return { kind: 'put', id, time, failed: random.chance(0.3) };
      case 3: case 4:
        return { kind: 'delete', id, time, to: random.pick(['Deleting', 'Deleted', 'DeletionFailed'] as const) };
      case 5: return { kind: 'revoke', id };
      default: return { kind: 'bind', id, installer: random.chance(0.8) ? 0 : 1, cluster: random.chance(0.8) ? 0 : 1 };
    }
  });
  const twice = fresh.filter(({ kind }) => kind !== 'revoke' && random.chance(0.4));
  return random.shuffle([...fresh, ...twice]);
}

const provisioningStates = { Deleting: 'Deleting', Deleted: 'Succeeded', DeletionFailed: 'Failed' } as const;
const timeOf = (time: number) => new Date(Date.UTC(2026, 0, 1) + time * 60_000).toISOString();

async function send(
  world: SubscriptionWorld, applicationId: string, event: Event,
  installers: readonly { readonly installerId: string }[], clusters: readonly string[],
) {
  let lost = false;
  const noteLost = () => (lost = true);
  if (event.kind === 'revoke') {
    const id = await untilAnswered(() => world.ofApplication(applicationId));
    if (id === undefined) return { outcome: 'none', lost };
    const answer = outcome(await untilAnswered(() => world.revoke('ProviderB', id), noteLost));
    if (!lost) return { outcome: answer, lost };
    // A lost try or another call may have revoked the subscription. Its contracts are revoked afterwards.
    await until(async () => !short(await untilAnswered(() => world.audit('ProviderB', id))).includes('revoke failure'), {
      within: 60_000, what: 'the contracts are revoked',
    });
    return { outcome: answer === '400 not_revocable' ? undefined : answer, lost: false };
  }
  // The id makes each notification different.
  const common = { applicationId, error: { code: String(event.id) } };
  const json = event.kind === 'bind'
    ? {
      ...common, eventType: 'BIND',
      bindingInfo: { installerId: installers[event.installer]!.installerId, clusterId: clusters[event.cluster] },
    } : {
      ...common, eventType: event.kind === 'put' ? 'PUT' : 'DELETE', eventTime: timeOf(event.time),
      provisioningState: event.kind === 'delete' ? provisioningStates[event.to] : event.failed ? 'Failed' : 'Succeeded',
    };
  return { outcome: outcome(await untilAnswered(() => world.notifyB(json), noteLost)), lost };
}

/** Repeats like a marketplace, until the answer is not a server error. */
async function untilAnswered<Result>(act: () => Promise<Result>, lost: () => unknown = () => undefined): Promise<Result> {
  let result: { readonly value: Result } | undefined;
  await until(async () => {
    try {
      const value = await act();
      const status = (value as Partial<HttpAnswer> | undefined)?.status;
      if (typeof status === 'number' && status >= 500) lost();
      else result = { value };
    } catch {
      lost();
    }
    return result !== undefined;
  }, { within: 60_000, what: 'an answer' });
  return result!.value;
}

/** The visible state of an application, as text. */
async function look(world: SubscriptionWorld, application: string): Promise<string> {
  const id = await world.ofApplication(application);
  if (id === undefined) return shownAs(nothing);
  const { state, boundedInstallerId } = await world.subscription('ProviderB', id);
  const { active, revoked } = await world.contractCounts(id);
  const counts = `${active} active, ${revoked} revoked`;
  const audit = short(await world.audit('ProviderB', id)).sort();
  return [state, boundedInstallerId === '' ? 'unbound' : 'bound', kindsOf[counts] ?? counts, ...audit].join(', ');
}

/** One contract for each of five products. */
const kindsOf: Readonly<Record<string, Model['contracts']>> = {
  '0 active, 0 revoked': 'none', '5 active, 0 revoked': 'active', '0 active, 5 revoked': 'revoked',
};

function shownAs({ state, bound, contracts, audit }: Model): string {
  if (state === undefined) return 'nothing';
  return [state, bound === undefined ? 'unbound' : 'bound', contracts, ...Object.values(audit).sort()].join(', ');
}
