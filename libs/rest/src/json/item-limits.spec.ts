import { describe, expect, it } from '@jest/globals';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { validation } from '../endpoint/decode-body.ts';
import { MessageDecoders } from './decode-message.ts';
import { documentRoot, Problems } from './problems.ts';

const { methods } = readSurface(await readImage());

function faultOf(method: string, field: string, json: unknown) {
  const { input } = methods.find(({ name }) => name === method)!;
  const { message } = input.fields.find(({ name }) => name === field)!;
  const problems = new Problems();
  new MessageDecoders().of(message!)(json, documentRoot, '', problems);
  const fault = validation(problems);
  return fault && { reason: fault.reason, paths: fault.violations.map(({ path }) => path) };
}

const times = <Item>(count: number, item: Item): Item[] => Array<Item>(count).fill(item);

describe('lists of a body (open-points 1.9)', () => {
  it.each([
    ['CreateRole', 'role', { permissions: times(1_001, {}) }, 'TOO_MANY_ITEMS', 'permissions'],
    ['CreateRole', 'role', { teamIDs: times(10_001, 'x') }, 'TOO_MANY_ITEMS', 'teamIDs'],
    ['CreateOutage', 'outage', { tags: times(21, 1) }, 'VALIDATION_FAILED', 'tags'],
    ['CreateContracts', 'contract', { products: times(21, 1) }, 'TOO_MANY_ITEMS', 'products'],
    ['CreateContracts', 'contract', { clusters: [{ tags: times(51, 1) }] }, 'TOO_MANY_ITEMS', 'clusters[0].tags'],
  ])('%s: %s with one item too many is refused for that alone', (method, field, json, reason, path) => {
    expect(faultOf(method, field, json)).toEqual({ reason, paths: [path] });
  });

  it('as many as there may be are read, and up to 20 problems of them are answered', () => {
    const fault = faultOf('CreateRole', 'role', { name: 'a', permissions: times(1_000, {}) });
    expect(fault?.reason).toBe('VALIDATION_FAILED');
    expect(fault?.paths).toHaveLength(20);
  });
});
