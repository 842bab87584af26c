import { readExamples } from '@platform/proto/examples';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import type { ProofOptions, ProofResult } from '@platform/testing';
import { startAll, type StartAttacked } from '../src/attacks/costly/attacked-world.ts';
import type { Sent } from '../src/attacks/costly/dearest.ts';
import { waitBeside, type Waiting } from '../src/attacks/costly/others.ts';
import { canMeasure, memoryRatio } from '../src/attacks/costly/process-cost.ts';
import { search } from '../src/attacks/costly/search.ts';
import { attackers, type Attacked, type Target, targetsOf } from '../src/attacks/costly/targets.ts';
import { type Bounds, type Counterexample, steadyCpu, tooLarge, tooSlow } from '../src/attacks/costly/verify.ts';

export const name = 'costly-requests';
export const describe = 'The dearest of 20,000 shapes of bodies and messages, at every method over REST and gRPC, as nobody, '
  + 'with a bad token, as a member and as an owner: at most 50 ms of CPU and 8 times its size in memory, and another '
  + 'caller waits at most 10 times as long beside a sender at its limit.';
export const servers = true;

const wholeShapes = 20_000;
const bounds: Bounds = { cpuMs: 50, memory: 8 };
/** In `npm test`, a small share runs at the same time as other specs, which compete for the CPU's caches. */
const boundsBesideOthers: Bounds = { ...bounds, cpuMs: 3 * bounds.cpuMs };
const mostWaiting = 10;
/** A smaller share runs in `npm test`, and does not measure how long other callers wait. */
const leastShareAlone = 0.05;
const wholeWaitingMs = 30_000;
/** Each candidate is measured again in separate processes, which takes time. */
const mostMeasuredAgain = 5;

export const prove = proveOn(startAll);

/** Returns the proof for a platform that `start` starts. */
export function proveOn(start: StartAttacked): (options: ProofOptions) => Promise<ProofResult> {
  return async (options) => {
    if (!canMeasure) return { figure: 'what a process costs is not known here', holds: undefined };
    const [surface, examples] = [readSurface(await readImage()), await readExamples()];
    await using attacked = await start(false);
    using targets = targetsOf(surface, examples, attacked);
    return await proveFor(targets.all, attacked, options, async (slow) => {
      await using limited = await start(true);
      using limitedTargets = targetsOf(surface, examples, limited);
      return await waitingBeside(slow, limitedTargets.all, limited, options);
    });
  };
}

const named = (targets: readonly Target[], { target }: Sent): Target => targets.find(({ name: known }) => known === target)!;

async function proveFor(
  targets: readonly Target[], attacked: Attacked, options: ProofOptions,
  waitBesideDearest: (slow: readonly Sent[]) => Promise<WaitingBeside[]>,
): Promise<ProofResult> {
  const { share, report } = options;
  const most = share < leastShareAlone ? boundsBesideOthers : bounds;
  const count = Math.max(1, Math.round(wholeShapes * share));
  const { tried, slow, large, outcomes } = await search(attacked, targets, count, options);

  const wrong: Counterexample[] = [];
  for (const sent of slow.filter(({ cost }) => cost.cpuMs > most.cpuMs)) {
    const found = await tooSlow(sent, named(targets, sent), attacked, most);
    if (found) wrong.push(found);
  }
  for (const sent of large.filter(({ cost }) => memoryRatio(cost) > most.memory).slice(0, mostMeasuredAgain)) {
    const found = await tooLarge(sent, named(targets, sent), attacked, most);
    if (found) wrong.push(found);
  }
  for (const { why, sent } of wrong) report(`${why}: ${shown(sent)}`);
  const counted = Object.entries(outcomes).sort(([, one], [, other]) => other - one);
  const figure = `${tried} shapes at ${targets.length} targets, ${wrong.length} above `
    + `(${counted.map(([outcome, times]) => `${times} ${outcome}`).join(', ')})`;
  if (wrong.length > 0) {
    return { figure, holds: false, counterexamples: wrong.map(({ why, sent }) => `${why}: ${shown(sent)}`) };
  }

  const dearest = await steadyCpu(slow[0]!, named(targets, slow[0]!), attacked, most);
  report(`the dearest: ${dearest.cost.cpuMs.toFixed(1)} ms, ${shown(dearest)}`);
  const waiting = share < leastShareAlone ? [] : await waitBesideDearest(slow);
  const tooLong = share === 1 ? waiting.filter(({ alone, beside }) => beside > mostWaiting * alone) : [];
  const ratio = Math.max(...large.map(({ cost }) => memoryRatio(cost)));
  return {
    figure: `${figure}; the dearest takes ${dearest.cost.cpuMs.toFixed(1)} ms of CPU, memory grows up to `
      + `${ratio.toFixed(1)} times${waiting.map((one) => `; ${shownWaiting(one)}`).join('')}`,
    holds: tried === count && dearest.cost.cpuMs <= most.cpuMs && tooLong.length === 0,
    counterexamples: tooLong.map((one) => `others wait too long: ${shownWaiting(one)}, ${shown(one.sent)}`),
  };
}

type WaitingBeside = Omit<Waiting, 'sent'> & { readonly sent: Sent; readonly times: number };

/** Waiting times of another caller while each attacker sends its most expensive request. */
async function waitingBeside(
  slow: readonly Sent[], targets: readonly Target[], attacked: Attacked, { share, report }: ProofOptions,
): Promise<WaitingBeside[]> {
  const found: WaitingBeside[] = [];
  for (const sender of attackers) {
    const sent = slow.find((one) => one.sender === sender);
    if (sent === undefined) continue;
    const waiting = await waitBeside(sent, named(targets, sent), attacked, Math.max(3_000, share * wholeWaitingMs));
    found.push({ ...waiting, sent, times: waiting.sent });
    report(shownWaiting(found.at(-1)!));
  }
  return found;
}

function shownWaiting({ sent, alone, beside, times, errors }: WaitingBeside): string {
  return `others' p99 ${alone.toFixed(1)} ms, ${beside.toFixed(1)} ms beside ${times} of ${sent.sender}, ${errors} errors`;
}

function shown({ target, sender, shape, beginning, cost }: Sent): string {
  return `${target} as ${sender}, ${cost.bytes} bytes, ${cost.outcomes.join(' ')}: ${JSON.stringify(shape)} ${beginning}`;
}
