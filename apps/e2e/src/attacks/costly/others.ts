import { startGenerator } from '../../load/load-world.ts';
import type { Outcome, Read } from '../../load/requests.ts';
import type { Sent } from './dearest.ts';
import type { Attacked, Sender, Target } from './targets.ts';

/** Rate limits (open-points 1.9): anonymous, with refused credentials, with an account. */
const perSecond: Readonly<Record<Sender, number>> = {
  'nobody': 20, 'bad token': 1, 'member': 100, 'owner': 100, 'site admin': 100,
};
/** Connections of one sender. */
const mostUnderWay = 64;
/** Requests before anything is measured. */
const timesBefore = 20;
/** Requests of the other caller during the measurement. */
const asked = { connections: 8, perSecond: 50 };

/** How long another caller waits while a sender is at its limit, in milliseconds at p99. */
export interface Waiting {
  readonly alone: number;
  readonly beside: number;
  /** Number of requests that the sender made. */
  readonly sent: number;
  /** Wrong and missing answers to the other caller. */
  readonly errors: number;
}

/** The other caller uses another account from a separate process. The platform limits rates. */
export async function waitBeside(
  { target: name, sender, shape }: Sent, target: Target, { platform, bystander: token }: Attacked, milliseconds: number,
): Promise<Waiting> {
  const path = '/api/v1/orgs/acme/teams';
  const { status, text } = await platform.http.with({ authorization: `Bearer ${token}` }).get(path);
  if (status !== 200) throw new Error(`${name}: the other caller is answered ${status}`);
  const reads: Read[] = [{ method: 'GET', path, token, answer: text }];
  using generator = startGenerator(platform.baseUrl, { reads, permissions: reads, slots: [] });
  const ask = (): Promise<Outcome> => generator.run({ seed: 1, milliseconds, ...asked });
  const prepared = await target.prepare(shape, sender);
  // Code that runs for the first time is compiled, once per process. The sender's rate recovers meanwhile.
  for (let time = 0; time < timesBefore; time += 1) await prepared.send();
  await ask();
  const alone = await ask();

  const underWay = new Set<Promise<unknown>>();
  let sent = 0;
  const sending = setInterval(() => {
    if (underWay.size >= mostUnderWay) return;
    sent += 1;
    const call: Promise<unknown> = prepared.send().finally(() => underWay.delete(call));
    underWay.add(call);
  }, 1_000 / perSecond[sender]);
  try {
    const beside = await ask();
    return { alone: alone.p99, beside: beside.p99, sent, errors: beside.errors };
  } finally {
    clearInterval(sending);
    await Promise.all(underWay);
  }
}
