import { Configuration, ConsistencyPreference, CredentialsMethod, OpenFgaApi, type ReadRequest } from '@openfga/sdk';
import { fenceRelation, organizationObject, type RelationTuple } from '@platform/relations';
import {
  createLimiter, type Deadline, deadlineIn, type Logger, type Metrics, noMetrics, remaining, type Secret, shrink,
  traceHeaders, within, withSpan,
} from '@platform/service';
import { readChecks, readFence, readTuplePage, readWritten, type TuplePage } from './answers.ts';
import { EngineError, engineError } from './engine-error.ts';
import type { Model } from './model.ts';
import { type CallApi, type Established, establish, isCurrent } from './store.ts';
import type { Question } from '../domain/question.ts';

/** Maximum number of checks in one BatchCheck. This is OpenFGA's default limit. */
const checksPerBatch = 50;
/** Maximum number of tuples that one Read returns. */
const tuplesPerPage = 100;
/** Time limit for one call to the engine, in milliseconds (authorization.md, read path). */
const callMs = 1_000;
/** How long it may take to find or create the store and the model, in milliseconds. */
export const establishMs = 10_000;
/**
 * Maximum number of concurrent calls of this process to the engine. It is low, so that calls rarely wait for the
 * engine's database connections.
 */
const callsAtOnce = 8;

interface EngineOptions {
  readonly url: string;
  readonly presharedKey: Secret;
  readonly storeName: string;
  readonly model: Model;
  readonly log: Logger;
  readonly metrics?: Metrics;
}

/**
 * OpenFGA, with a limit on concurrent calls. The methods throw EngineError if a call fails. They throw DeadlineExceeded
 * if the deadline passes while a call waits for its turn or for the store.
 */
export interface Engine {
  /** Returns the relations that the user has, in the order of `question.relations`. Fails if any check fails. */
  ask(question: Question, deadline: Deadline): Promise<{ readonly relations: string[]; readonly modelId: string }>;
  /** The revision in the fence tuple of an organization; empty when there is no fence. */
  fence(organizationId: number, deadline: Deadline): Promise<string>;
  /**
   * Reads one page of the tuples that match a filter. A page has at most 100 tuples.
   * @param filter an empty field matches everything
   * @param page `after` is `next` of the previous page, or empty for the first page
   */
  read(filter: RelationTuple, page: { size: number; after: string }, deadline: Deadline): Promise<TuplePage>;
  /**
   * Makes one atomic write (authorization.md S4). After the failure `conflict`, nothing is written. After the failure
   * `away`, the write may have happened.
   */
  write(deletes: readonly RelationTuple[], writes: readonly RelationTuple[], deadline: Deadline): Promise<void>;
  /** The store and the model in use. Finds or creates them if they are not known yet. */
  established(deadline: Deadline): Promise<Established>;
  /** Throws if a call to the engine fails, or if the store or its model was deleted or replaced; see `isCurrent`. */
  probe(deadline: Deadline): Promise<void>;
}

/** Creates the engine. The first call to OpenFGA is made when a method is called. */
export function createEngine({ url, presharedKey, storeName, model, log, metrics = noMetrics }: EngineOptions): Engine {
  const api = new OpenFgaApi(new Configuration({
    apiUrl: url.replace(/\/+$/, ''),
    credentials: { method: CredentialsMethod.ApiToken, config: { token: presharedKey.reveal() } },
    // This file decides which calls are retried; the SDK would also retry writes.
    retryParams: { maxRetry: 0 },
  }));
  const limiter = createLimiter(callsAtOnce, 'the authorization engine');
  const duration = metrics.histogram({
    name: 'authorization_engine_duration_seconds',
    help: 'Duration of calls to the authorization engine, by call and outcome.',
    labels: ['call', 'outcome'],
  });
  const nonsense = metrics.counter({
    name: 'authorization_engine_nonsense_total',
    help: 'Answers of the authorization engine that are invalid, or that reject a request of this service.',
  });
  let current: Promise<Established> | undefined;

  /** Waits for a turn, makes one HTTP call within a time limit, and converts failures to EngineError. */
  async function call<T>(name: string, deadline: Deadline, work: (http: object) => Promise<T>): Promise<T> {
    return limiter.run(deadline, async () => {
      const begun = performance.now();
      const own = shrink(deadline, callMs);
      const patience = Math.round(remaining(own));
      let outcome = 'ok';
      try {
        // Do not follow redirects, because a redirect could send our key to another host.
        return await withSpan(`OpenFGA ${name}`, { kind: 'client' }, () =>
          work({ maxRedirects: 0, signal: own.signal, headers: traceHeaders() }));
      } catch (error) {
        const failed = engineError(name, error, own.signal.aborted ? whyEnded(own.signal, patience) : undefined);
        outcome = failed.failure;
        if (failed.failure === 'store lost') current = undefined;
        if (failed.failure === 'nonsense') {
          nonsense.add({});
          log.error({ call: name, alarm: 'engine nonsense', error: failed },
            'the authorization engine returned an invalid answer, or rejected a request that this service built');
        }
        throw failed;
      } finally {
        duration.observe({ call: name, outcome }, (performance.now() - begun) / 1000);
      }
    });
  }

  /**
   * Repeats a call once after a connection reset, because the engine may have closed an idle connection. Does not
   * repeat it if less than 50 ms are left.
   */
  async function repeatable<T>(name: string, deadline: Deadline, work: (http: object) => Promise<T>): Promise<T> {
    try {
      return await call(name, deadline, work);
    } catch (error) {
      if (!isReset(error) || remaining(deadline) < 50) throw error;
      return call(name, deadline, work);
    }
  }

  function callsUntil(deadline: Deadline): CallApi {
    return (name, work) => repeatable(name, deadline, (http) => work(api, http));
  }

  /** Finds or creates the store and the model, with a deadline of its own. */
  function search(): Promise<Established> {
    return establish(callsUntil(deadlineIn(establishMs)), storeName, model).then((found) => {
      log.info({ ...found }, 'authorization model in force');
      return found;
    }, (error: unknown) => {
      current = undefined;
      const unfit = error instanceof EngineError && (error.failure === 'refused' || error.failure === 'conflict');
      throw unfit ? new EngineError('nonsense', error.message) : error;
    });
  }

  function established(deadline: Deadline): Promise<Established> {
    current ??= search();
    return within(deadline, current, 'the search for the store of the authorization engine');
  }

  async function batch(question: Question, relations: readonly string[], deadline: Deadline): Promise<string[]> {
    const { storeId, modelId } = await established(deadline);
    const ids = relations.map((_, index) => `c${index}`);
    const allowed = await repeatable('BatchCheck', deadline, async (http) => {
      const answer = await api.batchCheck(storeId, {
        authorization_model_id: modelId,
        consistency: ConsistencyPreference.HigherConsistency,
        checks: relations.map((relation, index) => ({
          tuple_key: { user: question.user, relation, object: question.object },
          contextual_tuples: { tuple_keys: [...question.contextual] },
          correlation_id: ids[index]!,
        })),
      }, http);
      return readChecks(answer, ids);
    });
    return relations.filter((_, index) => allowed[index]);
  }

  async function read<T>(request: ReadRequest, deadline: Deadline, take: (answer: unknown) => T): Promise<T> {
    const { storeId } = await established(deadline);
    const consistency = ConsistencyPreference.HigherConsistency;
    return repeatable('Read', deadline, async (http) =>
      take(await api.read(storeId, { ...request, consistency }, http)));
  }

  return {
    established,
    ask: async (question, deadline) => {
      const { modelId } = await established(deadline);
      const batches: string[][] = [];
      for (let from = 0; from < question.relations.length; from += checksPerBatch) {
        batches.push(question.relations.slice(from, from + checksPerBatch));
      }
      const held = await Promise.all(batches.map((relations) => batch(question, relations, deadline)));
      return { relations: held.flat(), modelId };
    },
    fence: (organizationId, deadline) => read({
      tuple_key: { object: organizationObject(organizationId), relation: fenceRelation }, page_size: 2,
    }, deadline, readFence),
    read: ({ object, relation, user }, { size, after }, deadline) => {
      const key = { ...(object && { object }), ...(relation && { relation }), ...(user && { user }) };
      return read({
        ...(Object.keys(key).length > 0 && { tuple_key: key }),
        page_size: Math.min(size, tuplesPerPage),
        ...(after && { continuation_token: after }),
      }, deadline, readTuplePage);
    },
    write: async (deletes, writes, deadline) => {
      const { storeId, modelId } = await established(deadline);
      await call('Write', deadline, async (http) => readWritten((await api.write(storeId, {
        authorization_model_id: modelId,
        ...(deletes.length > 0 && { deletes: { tuple_keys: [...deletes] } }),
        ...(writes.length > 0 && { writes: { tuple_keys: [...writes] } }),
      }, http)).$response.data));
    },
    probe: async (deadline) => {
      const found = await established(deadline);
      if (await isCurrent(callsUntil(deadline), storeName, model, found)) return;
      current = undefined;
      throw new EngineError('store lost', `the store ${storeName} or its model has been deleted or replaced`);
    },
  };
}

/**
 * Returns the reason why the call ended. The SDK reports `canceled` both for a timeout and for a caller that has left.
 */
function whyEnded(signal: AbortSignal, patience: number): string {
  const reason = signal.reason as Partial<Error> | null;
  return reason?.name === 'TimeoutError'
    ? `no answer within ${patience / 1_000} s`
    : 'the caller no longer waits for the answer';
}

function isReset(error: unknown): boolean {
  return error instanceof EngineError && error.failure === 'away'
    && /ECONNRESET|socket hang up|EPIPE/.test(error.message);
}
