import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { timed } from '../times.ts';
import { keeperVariable, type KeeperAnswers, type KeeperRefusal, type KeeperRequest } from './keeper-protocol.ts';

/** Time limit of a question: the first spec that needs a server waits for its start; later answers are quick. */
const timeout = 120_000;

/** The keeper could not fulfil the request of a spec. */
export class KeeperFault extends Error {
  override readonly name = 'KeeperFault';
  /** A `BackingReason`, `FAILED`, or `NO_KEEPER` if this run was started without servers. */
  readonly reason: string;

  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Asks the keeper of this run. @throws KeeperFault */
export async function askKeeper<Ask extends KeeperRequest['ask']>(
  question: Extract<KeeperRequest, { ask: Ask }>,
): Promise<KeeperAnswers[Ask]> {
  const socketPath = process.env[keeperVariable];
  if (socketPath === undefined) {
    throw new KeeperFault('NO_KEEPER', 'This run has no servers: name them in metadata.servers of project.json.');
  }
  const { status, body } = await timed('server', question.ask, () => post(socketPath, JSON.stringify(question)));
  if (status === 200) return JSON.parse(body) as KeeperAnswers[Ask];
  const { reason, message } = JSON.parse(body) as KeeperRefusal;
  throw new KeeperFault(reason, message);
}

function post(socketPath: string, body: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, method: 'POST', path: '/', agent: false, signal: AbortSignal.timeout(timeout) });
    call.once('error', (cause) => {
      reject(new KeeperFault('FAILED', 'The keeper of the servers does not answer.', { cause }));
    });
    call.once('response', (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }), reject);
    });
    call.end(body);
  });
}
