import type { ProofOptions, ProofResult } from '@platform/testing';
import { reported } from './reported.ts';
import type { UsageMember, UsageWorld } from './usage-world.ts';

/** Most attempts: on a busy machine, most of the flood may be stored before the single event is sent. */
const mostTries = 3;
export const productName = 'productdb-enterprise';
const patienceMs = 60_000;

/**
 * Checks that organizations take turns: one member sends a flood of events of one byte at once, and when the bus has
 * begun to store them, a member of another organization sends one event. In the stream, that event must precede most
 * of the others. No time is measured.
 * @param flood number of its events, at most as many as may wait for their turn
 */
export async function tryTurns(
  world: UsageWorld, flood: number, { share, report }: Pick<ProofOptions, 'share' | 'report'>,
): Promise<ProofResult> {
  const [flooding, calm] = await twoMembers(world);
  const rounds = Math.max(1, Math.round(5 * share));
  const counterexamples: string[] = [];
  let most = 0;
  for (let round = 0; round < rounds; round += 1) {
    let before = Infinity;
    for (let tries = 0; tries < mostTries && before > flood / 2; tries += 1) {
      before = await storedBefore(flood, flooding, calm);
    }
    most = Math.max(most, before);
    if (before > flood / 2) counterexamples.push(`${before} of ${flood} events are stored before one of another organization`);
  }
  const figure = `at most ${most} of ${flood} events of a flood are stored before one of another organization`;
  report(figure);
  return { figure, holds: counterexamples.length === 0, counterexamples };
}

/** Members of two organizations. */
export async function twoMembers(world: UsageWorld): Promise<[UsageMember, UsageMember]> {
  const member = async () => world.member(await world.organization(await world.person()), productName);
  return [await member(), await member()];
}

/** How many events of the flood precede the event of the other member in the stream. */
async function storedBefore(flood: number, flooding: UsageMember, calm: UsageMember): Promise<number> {
  const sent = Array.from({ length: flood }, () => numberOf(flooding, 'x'));
  await Promise.race(sent);
  const event = reported(productName, { uid: 'beside a flood', time: new Date().toISOString() });
  const beside = await numberOf(calm, event);
  return (await Promise.all(sent)).filter((number) => number < beside).length;
}

/** Sends an event, and returns its number in the stream. */
async function numberOf({ connection, subject }: UsageMember, text: string): Promise<number> {
  const { text: answer } = await connection.request(subject, text, patienceMs);
  return (JSON.parse(answer) as { seq: number }).seq;
}
