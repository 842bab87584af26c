import { type RelationTuple, revisionOf } from '@platform/relations';
import { EngineError } from './engine-error.ts';

export interface TuplePage {
  readonly tuples: RelationTuple[];
  /** Token of the next page. Empty on the last page. */
  readonly next: string;
}

/**
 * Returns the results of a BatchCheck, in the order of the correlation ids.
 * @throws EngineError `nonsense` for an invalid answer or an input error, `away` for another error of a check
 */
export function readChecks(answer: unknown, correlationIds: readonly string[]): boolean[] {
  const result = record(record(answer)?.['result']);
  if (result === undefined) throw nonsense('BatchCheck returned no results');
  if (Object.keys(result).length !== correlationIds.length) {
    throw nonsense(`BatchCheck returned ${Object.keys(result).length} results for ${correlationIds.length} checks`);
  }
  return correlationIds.map((id) => {
    const item = record(result[id]);
    const error = record(item?.['error']);
    if (error !== undefined) throw itemError(error);
    const allowed = item?.['allowed'];
    if (typeof allowed !== 'boolean') throw nonsense(`BatchCheck returned neither true nor false for check ${id}`);
    return allowed;
  });
}

/** @throws EngineError `nonsense` */
export function readTuplePage(answer: unknown): TuplePage {
  const { tuples, continuation_token: next } = record(answer) ?? {};
  if (!Array.isArray(tuples) || typeof next !== 'string') throw nonsense('Read returned an invalid page');
  return { tuples: tuples.map(readTuple), next };
}

/**
 * Returns the revision from the first tuple of an answer, which is the fence tuple of an organization. Returns an empty
 * string if the answer has no tuple. @throws EngineError `nonsense`
 */
export function readFence(answer: unknown): string {
  const [fence] = readTuplePage(answer).tuples;
  if (fence === undefined) return '';
  const revision = revisionOf(fence.user);
  if (!revision) throw nonsense('Read returned a fence tuple without a revision');
  return revision;
}

/** Checks that the answer to a Write is an empty object. @throws EngineError `nonsense` */
export function readWritten(answer: unknown): void {
  const said = record(answer);
  if (said === undefined || Object.keys(said).length > 0) throw nonsense('Write returned an unexpected body');
}

function readTuple(tuple: unknown): RelationTuple {
  const { user, relation, object } = record(record(tuple)?.['key']) ?? {};
  if (typeof user !== 'string' || typeof relation !== 'string' || typeof object !== 'string') {
    throw nonsense('Read returned an invalid tuple');
  }
  return { user, relation, object };
}

function itemError(error: Readonly<Record<string, unknown>>): EngineError {
  const { input_error: inputError, internal_error: internalError, message } = error;
  const said = `BatchCheck: ${String(inputError ?? internalError ?? '')} ${String(message ?? '')}`.slice(0, 300);
  // An input error is a bug, because this service built the check.
  const impossible = typeof inputError === 'string' && inputError !== 'no_error';
  return new EngineError(impossible ? 'nonsense' : 'away', said);
}

function nonsense(what: string): EngineError {
  return new EngineError('nonsense', what);
}

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
