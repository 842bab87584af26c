import { type BusConnection, connectBus } from '@platform/bus';
import { type Database, sql } from '@platform/postgres';
import { type ProofOptions, type ProofResult, seeded, until } from '@platform/testing';
import type { Attempt } from './foreign-attempts.ts';
import { type Agent, eventNaming, isForAgent, openParties, type Party } from './isolation-parties.ts';
import { isRenewed, startUsageWorld, usageHosts, type UsageWorld } from './usage-world.ts';

export const name = 'usage-isolation';
export const describe =
  'Agents with valid credentials try 500 foreign subjects (events, questions, answers, inboxes, JetStream, system '
  + 'account, wildcards, replies) and 100 payloads that name others: they hear nothing, nothing counts for another, '
  + 'what is shown of others stays equal byte by byte, and their own events count.';
export const servers = true;

const [wholeSubjects, subjectsOfRound, payloadsOfRound] = [500, 25, 5];
const dayMs = 86_400_000;
const answerMs = 20_000;

export async function prove(options: ProofOptions): Promise<ProofResult> {
  await using world = await startUsageWorld({ hosts: usageHosts });
  return await tryIsolation(world, options);
}

/** Runs the proof in an existing world. */
export async function tryIsolation(
  world: UsageWorld, { seed, share, report }: Pick<ProofOptions, 'seed' | 'share' | 'report'>,
): Promise<ProofResult> {
  const random = seeded(seed);
  const rounds = Math.max(1, Math.round(wholeSubjects / subjectsOfRound * share));
  const { billing: rows, bus: { access: { url, credentials } } } = world;
  await using platform = await connectBus({ url, credentials }, answerMs);
  // Yesterday at 12:00 UTC: no month ends in the hours after it, which would change what is shown.
  const begin = (Math.floor(Date.now() / dayMs) - 0.5) * dayMs;
  const { agents, victims } = await openParties(world, random, begin);
  const shownNow = () => Promise.all(victims.map((victim) => readShown(world, victim, begin)));
  await until(async () => {
    const { counted, ...now } = await readCounted(rows);
    return now.isRenewed && [...agents, ...victims].every(({ subject, events }) => counted[subject] === events.length);
  }, { within: 60_000, what: 'the first events are counted' });
  const [shown, bus, { counted }] = [await shownNow(), await readBus(platform), await readCounted(rows)];
  const wrongs = shown.flatMap((views) =>
    Object.entries(views).flatMap(([path, answer]) => (answer.startsWith('200 ') ? [] : [`${path}: ${answer}`])));
  const own = { subjects: 0, payloads: 0 };
  for (let round = 0; round < rounds; round += 1) {
    for (let number = 0; number < subjectsOfRound; number += 1, own.subjects += 1) {
      const agent = agents[number % 2]!;
      const attempt = agent.attempts.next().value;
      if (attempt.how === 'reply') {
        const event = eventNaming(agent, own.subjects, begin);
        await agent.connection.publish(agent.subject, event, { replyTo: attempt.subject });
        add(counted, agent.subject);
      } else {
        wrongs.push(...await tryOne(agent, attempt));
      }
    }
    for (let number = 0; number < payloadsOfRound; number += 1, own.payloads += 1) {
      const agent = random.pick(agents);
      wrongs.push(...await send(agent, eventNaming(random.pick(victims), 10_000 + own.payloads, begin)));
      add(counted, agent.subject);
    }
    // Agents may try to overhear events and questions. Repeated events are stored, and no view changes.
    for (const victim of victims) {
      for (const event of victim.events) wrongs.push(...await send(victim, event));
    }
    wrongs.push(...await ask(world, victims[round % victims.length]!));
    report(`${own.subjects} subjects, ${own.payloads} payloads, ${wrongs.length} wrong`);
  }

  for (const agent of agents) {
    // Each agent has received its own question, so all earlier messages have arrived.
    wrongs.push(...await ask(world, agent));
    const foreign = agent.heard.filter((message) => !isForAgent(agent, message));
    wrongs.push(...foreign.map(({ subject, text }) => `heard on ${subject}: ${text.slice(0, 200)}`));
  }
  await until(async () => {
    const now = await readCounted(rows);
    return now.isRenewed && differences('counted', counted, now.counted).length === 0;
  }, { within: 30_000, what: 'their own events are counted' }).catch(() => undefined);
  const after = await readBus(platform);
  wrongs.push(
    ...differences('managed', bus, after),
    ...differences('counted', counted, (await readCounted(rows)).counted),
    ...(await shownNow()).flatMap((now, place) => differences('shown', shown[place]!, now)),
  );
  return {
    figure: `${own.subjects} foreign subjects, ${own.payloads} payloads that name others, ${rounds} questions to `
      + `others, ${shown.flatMap(Object.keys).length} answers that show others: ${wrongs.length} wrong`,
    holds: wrongs.length === 0, counterexamples: wrongs.slice(0, 20),
  };
}

/** @returns what went wrong; nothing if the bus refuses the attempt */
async function tryOne({ connection, heard }: Agent, { how, subject }: Attempt): Promise<string[]> {
  const done = how === 'publish'
    // An attempt that would do harm if the bus accepted it.
    ? connection.request(subject, '{"seq":1,"config":{"ack_policy":"none"}}', answerMs).then(({ text }) => text)
    : connection.subscribe(subject, (message) => void heard.push(message)).then(() => 'taken');
  const outcome = await done.catch((error: Error) => {
    const names = [error.name, (error.cause as Error | undefined)?.name];
    return names.includes('PermissionViolationError') || names.includes('NoResponders') ? 'refused' : String(error);
  });
  // The agent may listen there; at most it receives acknowledgements of its own organization (ADR 0060).
  const isInbox = how === 'subscribe' && subject.startsWith('_INBOX.');
  return outcome === (isInbox ? 'taken' : 'refused') ? [] : [`${how} ${subject}: ${outcome}`];
}

/** Publishes an event of the agent's own member. @returns what went wrong; nothing if the bus acknowledges it */
async function send({ connection, subject }: Party, event: string): Promise<string[]> {
  const answer = await connection.request(subject, event, answerMs).then(({ text }) => text, String);
  return answer.includes('"seq":') ? [] : [`an event of its own on ${subject}: ${answer}`];
}

/** Asks a member over REST. @returns what went wrong; nothing if the member's own answer arrives */
async function ask(world: UsageWorld, { ownerId, clusterUid, licenceId, productName, subject }: Party) {
  const product = `users/${ownerId}/clusters/${clusterUid}/licenses/${licenceId}/products/${productName}`;
  const { status, text } = await world.siteAdmin.http.get(`/api/v1/dashboard/${product}/resources?org=administration`);
  const isOwn = status === 200 && text.includes(`"${licenceId}"`) && !text.includes('"forged"');
  return isOwn ? [] : [`a question to ${subject}: ${status} ${text}`];
}

/** The answers of REST about a member, by path, without times of arrival. */
async function readShown(world: UsageWorld, party: Party, begin: number): Promise<Record<string, string>> {
  const { ownerId, organization, clusterUid, licenceId, productName, objectUid } = party;
  const month = new Date(begin).toISOString().slice(0, 7).replace('-', '/');
  const [alias] = productName.split('-') as [string];
  const product = `users/${ownerId}/clusters/${clusterUid}/licenses/${licenceId}/products/${productName}`;
  const paths = [
    ...party.views.map((view) => `summary/${month}/usage-report/products/${alias}/views/${view}org=${organization}`),
    `summary/generated-months?org=${organization}`,
    `summary/object-quota-history/clusters/${clusterUid}/objects/${objectUid}?org=${organization}`,
    `${product}/events?org=administration`, `${product}/events-histories?org=administration`,
  ];
  const answers = await Promise.all(paths.map(async (path) => {
    const { status, text } = await world.siteAdmin.http.get(`/api/v1/dashboard/${path}`);
    return [path, `${status} ${text.replace(/"generatedAt":"[^"]*"/, '')}`];
  }));
  return Object.fromEntries(answers) as Record<string, string>;
}

/** Numbers of distinct events and parked messages, by subject. */
async function readCounted(rows: Database): Promise<{ counted: Record<string, number>; isRenewed: boolean }> {
  const found = await rows.query(sql<{ subject: string; events: number }>`
    select 'events.s0.user.' || owner_id || '.k8s.' || cluster_uid || '.product.' || product_name as "subject",
           sum(versions)::integer as "events"
      from reported_object group by 1
     union all
    select 'parked ' || subject, count(*)::integer from parked_event group by 1`);
  const counted = Object.fromEntries(found.map(({ subject, events }) => [subject, events]));
  return { counted, isRenewed: await isRenewed(rows) };
}

/** The streams and consumers of the bus. */
async function readBus(platform: BusConnection): Promise<Record<string, string>> {
  const call = async <Answer>(api: string, given: object = {}) =>
    JSON.parse((await platform.request(`$JS.API.${api}`, JSON.stringify(given), answerMs)).text) as Answer;
  const { streams } = await call<{ streams: readonly string[] }>('STREAM.NAMES');
  const { consumers } = await call<{ consumers: readonly string[] }>('CONSUMER.NAMES.events-s0');
  const { config } = await call<{ config: object }>('STREAM.INFO.events-s0');
  return { streams: streams.join(), consumers: consumers.join(), config: JSON.stringify(config) };
}

function add(events: Record<string, number>, subject: string): void {
  events[subject] = (events[subject] ?? 0) + 1;
}

/** Differences from the expected values, by key. */
function differences<Value>(
  what: string, expected: Readonly<Record<string, Value>>, actual: Readonly<Record<string, Value>>,
): string[] {
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...keys].filter((key) => expected[key] !== actual[key])
    .map((key) => `${what} ${key}: ${String(actual[key])} instead of ${String(expected[key])}`);
}
