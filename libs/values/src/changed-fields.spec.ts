import { describe, expect, it } from '@jest/globals';
import { changedFields } from './changed-fields.ts';

describe('what changed', () => {
  it('is nothing when everything is equal, lists and objects in them included', () => {
    const fields = () => ({ name: 'a', ids: [1, 2], pairs: [{ namespace: 'n', action: 'a' }] });
    expect(changedFields(fields(), fields())).toBeUndefined();
  });

  it('is listed field by field, before and after', () => {
    expect(changedFields({ name: 'a', ids: [1, 2], kept: true }, { name: 'b', ids: [2], kept: true })).toEqual({
      before: { name: 'a', ids: [1, 2] }, after: { name: 'b', ids: [2] },
    });
  });
});
