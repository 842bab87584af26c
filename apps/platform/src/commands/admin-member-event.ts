import { text } from 'node:stream/consumers';
import { type BusConnection, connectBus, eventSubject, memberOf } from '@platform/bus';
import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { readConfig, repeatUntil, silentLogger } from '@platform/service';
import { readGiven } from '../given-file.ts';
import type { Environment } from '../settings.ts';
import type { Output } from '../output.ts';
import { step } from '../progress.ts';
import { busAddress } from './bus-address.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';

interface MemberEventOptions extends ServerOptions {
  readonly owner: string;
  readonly clusterUid: string;
  readonly product: string;
  /** Path of the file with the events; default: standard input. */
  readonly file?: string;
}

/** Milliseconds after which no further attempt to connect begins. */
const connectPatienceMs = 20_000;
const attemptMs = 5_000;
const acknowledgeMs = 10_000;
const sentAtOnce = 50;

/**
 * `platform admin member-event`: creates bus credentials for a product in a cluster, and sends events with them. The
 * input has one JSON event per line. With `--json`, prints `{"accepted": 1, "refused": 0}`. The platform has stored the
 * accepted events. All other events count as refused.
 * @throws Fault, CommandFault, ConfigError
 */
export async function sendMemberEvents(
  { owner, clusterUid, product, file, ...options }: MemberEventOptions, environment: Environment, output: Output,
): Promise<void> {
  const input = file === undefined ? await text(process.stdin) : await readGiven(file, 'Name another --file.');
  const lines = input.split('\n').filter((line) => line.trim() !== '');
  const url = await busAddress(environment);
  const { busShards } = readConfig({ busShards: 'bus.shards' }, { environment, log: silentLogger });
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', options, environment);
  const request = { organization: owner, clusterUid, productName: product };
  const { creds } = await service.createBusAccount(request, operatorCall());
  await using bus = await repeatUntil(() => connectBus({ url, credentials: creds }, attemptMs), {
    signal: AbortSignal.timeout(connectPatienceMs),
  });
  const subject = eventSubject(memberOf(creds), busShards);
  const sending = step('Sending events');
  let accepted = 0;
  for (let start = 0; start < lines.length; start += sentAtOnce) {
    const sent = await Promise.all(lines.slice(start, start + sentAtOnce).map((line) => send(bus, subject, line)));
    accepted += sent.filter(Boolean).length;
    sending.reached(`${start + sent.length} of ${lines.length}`);
  }
  const refused = lines.length - accepted;
  output.answer({ accepted, refused }, () => [`${accepted} events are accepted, ${refused} refused or not confirmed.`]);
}

/** Returns whether the platform confirmed that it stored the event. Does not send a line that is not JSON. */
async function send(bus: BusConnection, subject: string, line: string): Promise<boolean> {
  try {
    JSON.parse(line);
    await bus.sendEvent(subject, line, acknowledgeMs);
    return true;
  } catch {
    return false;
  }
}
