import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Database, sql } from '@platform/postgres';
import { type ProofOptions, type ProofResult, quantile, until } from '@platform/testing';
import { productName, tryTurns, twoMembers } from './flood-turns.ts';
import { reported } from './reported.ts';
import { startUsageWorld, usageHosts, type UsageMember } from './usage-world.ts';

export const name = 'event-flood';
export const describe = 'While one member sends 60,000 events of one byte, a member of another organization waits at most three '
  + 'times as long for its acknowledgements as without (p99), and its events are stored within 10 s.';
export const servers = true;

/** Number of events of an organization that may wait for their turn, with the usual shares. */
const leastWaiting = 100;
const wholeFlood = 60_000;
/** Most events of the other member in each of the two phases; they are sent one by one. */
const wholeProbes = 1_000;
/** The least share of these that must be acknowledged before the flood ends, or the proof shows nothing. */
const leastBeside = 0.2;
const [mostRatio, mostStoredMs] = [3, 10_000];
const pollMs = 100;

interface Times {
  readonly acknowledged: number[];
  readonly stored: number[];
}

export async function prove({ share, report }: ProofOptions): Promise<ProofResult> {
  // With the usual shares of the bus, which other specs disable.
  await using world = await startUsageWorld({
    hosts: usageHosts, settings: { 'bus.shares.eventsPerSecond': '200' }, direct: true,
    ownProcess: { of: ['billing-dashboard'], because: 'measured' },
  });
  const turns = await tryTurns(world, leastWaiting, { share, report });
  const { billing } = world;
  const [flooding, probing] = await twoMembers(world);
  const probes = Math.max(20, Math.round(wholeProbes * share));
  await probe(probing, billing, (count) => count < 20);
  const quiet = await probe(probing, billing, (count) => count < probes);
  report(`quiet: ${shown(quiet)}`);
  const sent = Math.round(wholeFlood * share);
  const flood = spawn(process.execPath, [join(import.meta.dirname, 'flooding-member.ts')], {
    env: {
      ...process.env, URL: world.bus.access.url, CREDENTIALS: flooding.credentials, SUBJECT: flooding.subject,
      COUNT: String(sent),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(flood, 'close');
  await once(flood.stdout, 'data');
  const flooded = await probe(probing, billing, (count) => count < probes && flood.exitCode === null);
  await ended;
  const beside = flooded.acknowledged.length;
  report(`${beside} events beside ${sent}: ${shown(flooded)}`);
  const ratio = p99(flooded.acknowledged) / p99(quiet.acknowledged);
  const counterexamples = [
    ...(turns.counterexamples ?? []),
    ...(beside < leastBeside * probes ? [`only ${beside} events were sent before the flood ended: nothing is shown`] : []),
    ...(ratio > mostRatio ? [`acknowledgements take ${ratio.toFixed(1)} times as long`] : []),
    ...(p99(flooded.stored) > mostStoredMs ? [`events are stored after ${Math.round(p99(flooded.stored))} ms`] : []),
  ];
  return {
    figure: `p99 to acknowledgement ${ratio.toFixed(2)} × beside ${sent} events; quiet ${shown(quiet)}, then ${shown(flooded)}; `
      + turns.figure,
    holds: counterexamples.length === 0, counterexamples,
  };
}

/** Sends events of new objects one by one, and measures when each is stored. @param goesOn by the number sent so far */
async function probe({ connection, subject }: UsageMember, rows: Database, goesOn: (count: number) => boolean) {
  const times: Times = { acknowledged: [], stored: [] };
  const begun = new Map<string, number>();
  const storing = new AbortController();
  const watched = watchStored(rows, begun, times.stored, storing.signal);
  for (let count = 0; goesOn(count); count += 1) {
    const uid = randomUUID();
    const at = performance.now();
    begun.set(uid, at);
    await connection.sendEvent(subject, reported(productName, { uid, time: new Date().toISOString() }), 60_000);
    times.acknowledged.push(performance.now() - at);
  }
  storing.abort();
  await watched;
  return times;
}

/** Notes how long each event took to be stored, until the signal ends and all are stored. One query asks for all events. */
async function watchStored(rows: Database, begun: Map<string, number>, stored: number[], ending: AbortSignal) {
  await until(async () => {
    const found = await rows.query<{ subject: string }>(sql`
      select subject from reported_object where subject = any(${[...begun.keys()]}::text[])`);
    for (const { subject } of found) {
      stored.push(performance.now() - begun.get(subject)!);
      begun.delete(subject);
    }
    return ending.aborted && begun.size === 0;
  }, { within: 180_000, every: pollMs, what: 'the events are stored' });
}

const p99 = (times: readonly number[]) => quantile([...times].sort((a, b) => a - b), 0.99);
const shown = ({ acknowledged, stored }: Times) =>
  `${p99(acknowledged).toFixed(1)} ms to acknowledgement, ${Math.round(p99(stored))} ms to storage`;
