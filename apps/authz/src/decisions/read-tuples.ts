import { Fault } from '@platform/faults';
import type { ReadTuplesRequest, ReadTuplesResponse, Tuple, TupleFilter } from '@platform/proto/authz/v1/decision';
import type { OutgoingContext } from '@platform/rpc';
import type { Engine } from '../engine/engine.ts';
import { throwFault } from './engine-fault.ts';

const pageSize = 100;
/** Maximum number of concurrent reads in one request. */
const filtersAtOnce = 2;

/**
 * Returns the tuples that match at least one filter. If the request has a page size above 0, returns one page of them.
 * The engine reads with HIGHER_CONSISTENCY.
 */
export function readTuples(engine: Engine) {
  return async (request: ReadTuplesRequest, context: OutgoingContext): Promise<ReadTuplesResponse> => {
    refuseImpossible(request);
    const [first] = request.filters;
    if (request.pageSize > 0 && first !== undefined) return readPage(engine, first, request, context);
    const found = new Map<string, Tuple>();
    const waiting = request.filters.values();
    await Promise.all(Array.from({ length: filtersAtOnce }, async () => {
      for (const filter of waiting) {
        const { tuples } = await readPage(engine, filter, { pageSize: Infinity, pageToken: '' }, context);
        for (const tuple of tuples) found.set(`${tuple.object}#${tuple.relation}@${tuple.user}`, tuple);
      }
    }));
    return { tuples: [...found.values()], pageToken: '' };
  };
}

function refuseImpossible({ filters, pageSize: size, pageToken }: ReadTuplesRequest): void {
  if (filters.length === 0) {
    throw new Fault('INVALID_PARAMETER', 'a filter is required; an empty filter matches all tuples');
  }
  if (size < 0) throw new Fault('INVALID_PARAMETER', 'page_size is negative');
  if ((size > 0 || pageToken !== '') && filters.length > 1) {
    throw new Fault('INVALID_PARAMETER', 'page_size and page_token require exactly one filter');
  }
  if (size === 0 && pageToken !== '') throw new Fault('INVALID_PARAMETER', 'page_token requires page_size');
  for (const { object, relation, user } of filters) {
    if (object === '' && (relation !== '' || user !== '')) {
      throw new Fault('INVALID_PARAMETER', 'a filter by relation or user needs an object or an object type');
    }
    if (object.endsWith(':') && user === '') {
      throw new Fault('INVALID_PARAMETER', `a filter by the object type "${object}" needs a user`);
    }
  }
}

async function readPage(
  engine: Engine, filter: TupleFilter, request: Pick<ReadTuplesRequest, 'pageSize' | 'pageToken'>,
  { deadline }: OutgoingContext,
): Promise<ReadTuplesResponse> {
  const tuples: Tuple[] = [];
  let after = request.pageToken;
  do {
    const size = Math.min(pageSize, request.pageSize - tuples.length);
    const page = await engine.read(filter, { size, after }, deadline).catch(throwFault);
    tuples.push(...page.tuples);
    after = page.next;
  } while (after !== '' && tuples.length < request.pageSize);
  return { tuples, pageToken: after };
}
