import { randomUUID } from 'node:crypto';
import { Fault } from '@platform/faults';
import type { Database, Transaction } from '@platform/postgres';
import { decodeFault, encodeFault, type KeptAnswers, missingScope, type ResponseCodec } from '@platform/rpc';
import { createDigests, createSealer, type Deadline, remaining, type Sealer, type Secret } from '@platform/service';
import { coversScope, Makes, type Method, statusOf, wholeScope } from '@platform/surface';
import { Attempt } from './attempt.ts';
import { Steps } from './steps.ts';
import {
  answerClaim, endClaim, findKept, insertClaim, insertKept, type KeptRow, lockKey, type Outcome, type Place,
} from './store.ts';

/**
 * A request with several steps whose end was not stored counts as under way until this time after its deadline, in
 * milliseconds.
 */
const graceMs = 5_000;

/** Refusals with these HTTP statuses, except CONFLICT, are stored for repeats of the request (open-points 18.8). */
const keptStatuses: ReadonlySet<number> = new Set([400, 404, 409, 422]);

/**
 * Stores the answers to requests with an `Idempotency-Key`, in the table `kept_answer` (sql/kept-answers.sql).
 * @param secrets the setting `secrets.encryptionKeys`
 */
export function createKeptAnswers(database: Database, secrets: readonly Secret[]): KeptAnswers {
  const sealer = createSealer(secrets);
  const digests = createDigests(secrets, 'platform kept answers');
  return {
    answer: async ({ key, body }, { caller, deadline, method }, codec, act) => {
      const { id: accountId, tokenId, scopes, tokenClusterUid = '', tokenSlot = '' } = caller!;
      // The hash is keyed, because a password in the body could be guessed from a plain hash. The hash includes the
      // token's cluster and slot, because the answer depends on them.
      const bodies = digests(JSON.stringify([accountId, tokenClusterUid, tokenSlot, body.toString('hex')]));
      const place = { key, bodies, accountId, tokenId, hasAll: coversScope(scopes, wholeScope) };
      const known = given(await findKept(database, sealer, place, deadline), place);
      const task = { database, sealer, place, method, deadline };
      const answered = known ?? (method.rest.makes === Makes.AT_ONCE
        ? await atOnce(task, codec, act) : await inSteps(task, codec, act));
      return 'response' in answered ? answered : { response: opened(answered, codec), replayed: true };
    },
  };
}

interface Task {
  readonly database: Database;
  readonly sealer: Sealer;
  /** `hasAll`: the token has the scope `all`. */
  readonly place: Place & { readonly hasAll: boolean };
  readonly method: Method;
  readonly deadline: Deadline;
}

type Answered<Response> = Outcome | { readonly response: Response; readonly replayed: false };

/**
 * Runs a handler, and stores its answer in the transaction of the handler's last write. If no such transaction is open,
 * the answer is stored separately.
 */
async function atOnce<Response>(
  { database, sealer, place, method, deadline }: Task, codec: ResponseCodec<Response>,
  act: (attempt: object) => Promise<Response>,
): Promise<Answered<Response>> {
  let known: Outcome | undefined;
  const keeping = {
    enter: async (transaction: Transaction) => {
      if (!(await lockKey(transaction, place))) throw underWay();
      known = given(await findKept(transaction, sealer, place), place);
      if (known !== undefined) throw new AlreadyAnswered();
    },
    keep: (transaction: Transaction, outcome: Outcome) => insertKept(transaction, sealer, place, outcome),
  };
  const attempt = new Attempt(keeping, deadline);
  const keep = async (outcome: Outcome) => {
    if (await attempt.end(outcome)) return;
    await database.transact(async (transaction) => {
      await keeping.enter(transaction);
      await keeping.keep(transaction, outcome);
    }, { deadline });
  };
  try {
    const made = await outcomeOf(method, codec, () => act(attempt));
    await keep(made.outcome);
    if ('fault' in made) throw made.fault;
    return { response: made.response, replayed: false };
  } catch (error) {
    // Another request with the same key was answered first. Do not check the type of the error, because the handler may
    // have replaced AlreadyAnswered by another error.
    if (known !== undefined) return known;
    // If a write still waits for the answer, commit it without an answer. A request without a key would also commit it.
    await attempt.end(undefined);
    throw error;
  }
}

/** Another request with the same key was answered after this request began. */
class AlreadyAnswered extends Error {
  override readonly name = 'AlreadyAnswered';
}

/**
 * Runs a handler with several steps. A row first marks the request as under way. If the handler uses `forLastStep`, the
 * answer is stored in the transaction of the last step. Otherwise, the answer is stored separately.
 */
async function inSteps<Response>(
  { database, sealer, place, method, deadline }: Task, codec: ResponseCodec<Response>,
  act: (attempt: object) => Promise<Response>,
): Promise<Answered<Response>> {
  const claim = randomUUID();
  const request = await insertClaim(database, place, claim, remaining(deadline) + graceMs);
  if (request === undefined) {
    const known = given(await findKept(database, sealer, place, deadline), place);
    if (known === undefined) throw underWay();
    return known;
  }
  const last = new Attempt({
    enter: async () => undefined,
    keep: async (transaction, outcome) => {
      if (!(await answerClaim(transaction, sealer, place, claim, outcome))) throw underWay();
    },
  }, deadline);
  let isKept = false;
  try {
    const made = await outcomeOf(method, codec, () => act(new Steps(request, last)));
    if (!(await last.end(made.outcome))) await answerClaim(database, sealer, place, claim, made.outcome);
    isKept = true;
    if ('fault' in made) throw made.fault;
    return { response: made.response, replayed: false };
  } catch (error) {
    if (!isKept) await last.end(undefined);
    throw error;
  } finally {
    // If this statement fails, the request counts as under way until `claimed_until`.
    if (!isKept) await endClaim(database, place, claim).catch(() => undefined);
  }
}

type Made<Response> = { readonly outcome: Outcome } & ({ readonly response: Response } | { readonly fault: Fault });

/** Runs the handler. Encodes the answer, or a refusal that is stored for repeats. @throws errors that are not stored */
async function outcomeOf<Response>(
  method: Method, codec: ResponseCodec<Response>, act: () => Promise<Response>,
): Promise<Made<Response>> {
  try {
    const response = await act();
    return { response, outcome: { refused: false, bytes: Buffer.from(codec.encode(response)) } };
  } catch (error) {
    if (!(error instanceof Fault) || error.reason === 'CONFLICT') throw error;
    if (!keptStatuses.has(statusOf(method, error.reason))) throw error;
    return { fault: error, outcome: { refused: true, bytes: encodeFault(error) } };
  }
}

/**
 * Returns the stored answer; undefined for a new or an interrupted request.
 * @throws Fault IDEMPOTENCY_KEY_REUSED if the requests differ; CONFLICT while the stored request is under way;
 *   MISSING_SCOPE if another token sent the stored request and this token does not have the scope `all`
 */
function given(row: KeptRow | undefined, { bodies, tokenId, hasAll }: Task['place']): Outcome | undefined {
  if (row === undefined) return undefined;
  if (!bodies.some((body) => row.body.equals(body))) {
    throw new Fault('IDEMPOTENCY_KEY_REUSED', 'this Idempotency-Key was used with another body or for another cluster');
  }
  if (row.tokenId !== tokenId && !hasAll) throw missingScope(wholeScope);
  if (row.outcome === undefined && !row.isCutOff) throw underWay();
  return row.outcome;
}

function underWay(): Fault {
  return new Fault('CONFLICT', 'a request with this Idempotency-Key is in progress, try again');
}

/** @throws the kept refusal, if the outcome is a refusal */
function opened<Response>({ refused, bytes }: Outcome, codec: ResponseCodec<Response>): Response {
  if (!refused) return codec.decode(bytes);
  const { reason, message, violations, metadata } = decodeFault(bytes)!;
  throw new Fault(reason, message, { violations, metadata: { ...metadata, replayed: 'yes' } });
}
