// The process that makes the load, so that its cost is on its own event loop. It receives its task by IPC (`Order`),
// reports its result (`Outcome`), and ends with its parent.
import { Agent } from 'node:http';
import { exchange, closedLoop, quantile, seeded, type SeededRandom, type Told } from '@platform/testing';
import type { Mix, Order, Outcome, Read, Request, Slot, Task } from './requests.ts';

let baseUrl = '';
let mix: Mix = { reads: [], permissions: [], slots: [] };
const free: ReturnType<typeof slotSteps>[] = [];

process.on('message', (order: Order) => {
  if (!('mix' in order)) {
    void run(order).then((outcome) => process.send!(outcome));
    return;
  }
  ({ mix, baseUrl } = order);
  free.splice(0, free.length, ...mix.slots.map(slotSteps));
});
process.once('disconnect', () => process.exit());

async function run({ seed, connections, milliseconds, perSecond }: Task): Promise<Outcome> {
  const random = seeded(seed);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies: number[] = [];
  const examples: string[] = [];
  let errors = 0;
  const begun = performance.now();
  const end = begun + milliseconds;

  async function one(due: number): Promise<void> {
    const wrong = await askOne(agent, random).catch((error: unknown) => String(error));
    latencies.push(performance.now() - due);
    if (wrong === undefined) return;
    errors += 1;
    if (examples.length < 20) examples.push(wrong);
  }

  if (perSecond === undefined) {
    await closedLoop(connections, () => performance.now() < end, () => one(performance.now()));
  } else {
    await paced(perSecond, begun, end, one);
  }
  const wall = performance.now() - begun;
  agent.destroy();
  latencies.sort((a, b) => a - b);
  const at = (share: number) => quantile(latencies, share);
  return {
    answered: latencies.length, perSecond: latencies.length / wall * 1_000,
    p50: at(0.5), p99: at(0.99), longest: at(1), errors, examples,
  };
}

/**
 * Sends each request at its scheduled time. A request without a free connection waits, and its duration counts from its
 * scheduled time.
 */
async function paced(perSecond: number, begun: number, end: number, one: (due: number) => Promise<void>) {
  const underWay: Promise<void>[] = [];
  const gap = 1_000 / perSecond;
  for (let due = begun; due < end; due += gap) {
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    underWay.push(one(due));
  }
  await Promise.all(underWay);
}

/** Makes one request. Returns a description of a wrong answer; undefined if the answer is right. */
async function askOne(agent: Agent, random: SeededRandom): Promise<string | undefined> {
  const dice = random.next();
  // A write finds a free slot unless more requests are in progress than there are slots.
  const slot = dice >= 0.9 ? takeAny(free, random) : undefined;
  if (slot !== undefined) return slot(agent).finally(() => free.push(slot));
  const read: Read = random.pick(dice < 0.7 || dice >= 0.9 ? mix.reads : mix.permissions);
  const answer = await ask(agent, read);
  return answer.status === 200 && answer.body === read.answer ? undefined : shown(read, answer);
}

/**
 * Takes a random free slot. In a fixed order, all slots would reach the expensive steps (making and deleting teams) at
 * the same time.
 */
function takeAny<Item>(items: Item[], random: SeededRandom): Item | undefined {
  return items.length === 0 ? undefined : items.splice(random.integer(0, items.length - 1), 1)[0];
}

/** Returns a function that makes the next write of a slot's sequence. It returns a description of a wrong answer. */
function slotSteps({ organization, guest, team, token }: Slot) {
  let [id, at] = [0, 0];
  return async (agent: Agent): Promise<string | undefined> => {
    const stamp = `changed at ${at}`;
    const own = `/api/v1/teams/${id}`;
    const member = `${own}/members/${guest}`;
    const json = { name: team, type: 'kubernetes', permission: 'read' };
    const named = ({ name }: Record<string, unknown>) => name === team;
    const steps: readonly [string, string, unknown, number, (body: Record<string, unknown>) => boolean][] = [
      ['POST', `/api/v1/orgs/${organization}/teams`, json, 201, named],
      ['PUT', member, undefined, 204, () => true],
      ['PATCH', own, { name: team, description: stamp }, 200, (body) => named(body) && body['description'] === stamp],
      ['DELETE', member, undefined, 204, () => true],
      ['DELETE', own, undefined, 204, () => true],
    ];
    const [method, path, body, status, isRight] = steps[at]!;
    const asked: Request = { method, path, token, ...(body === undefined ? {} : { json: body }) };
    const answer = await ask(agent, asked);
    if (answer.status !== status) return shown(asked, answer);
    const answered = (answer.body === '' ? {} : JSON.parse(answer.body)) as Record<string, unknown>;
    if (method === 'POST') id = Number(answered['id']);
    at = (at + 1) % steps.length;
    return isRight(answered) ? undefined : shown(asked, answer);
  };
}

function shown({ method, path }: Request, { status, body }: Told): string {
  return `${method} ${path} answered ${status} ${body.slice(0, 300)}`;
}

function ask(agent: Agent, { method, path, token, json }: Request): Promise<Told> {
  const sent = json === undefined ? {} : { body: JSON.stringify(json) };
  const type: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { authorization: `token ${token}`, ...type };
  return exchange(agent, { method, url: baseUrl + path, headers, within: 60_000, ...sent });
}
