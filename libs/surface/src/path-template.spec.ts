import { describe, expect, it } from '@jest/globals';
import { parseTemplate, splitPath } from './path-template.ts';

describe('a path as it is declared', () => {
  it('has fixed segments, parameters, and optionally a rest', () => {
    expect(parseTemplate('/files/v1.2/{owner}/{path=**}').segments).toEqual([
      { kind: 'fixed', text: 'files' }, { kind: 'fixed', text: 'v1.2' },
      { kind: 'parameter', field: 'owner' }, { kind: 'rest', field: 'path' },
    ]);
    expect(parseTemplate('/{owner=*}').segments).toEqual([{ kind: 'parameter', field: 'owner' }]);
  });

  it('loses the slash at its end, except for the root', () => {
    expect(parseTemplate('/api/v1/orgs/claim/')).toEqual(parseTemplate('/api/v1/orgs/claim'));
    expect(parseTemplate('/')).toEqual({ text: '/', segments: [] });
  });

  it.each(['orgs', '', '/a//b', '/a b', '/{a', '/{a}b', '/x{a}', '/{a=b}', '/{a=***}', '/a?b', '/{path=**}/more'])(
    '%j stops the start', (template) => {
      expect(() => parseTemplate(template)).toThrow();
    },
  );
});

describe('a path as a request has it (open-points 1.2)', () => {
  it.each([
    ['/', []],
    ['/a', ['a']],
    ['/a/', ['a']],
    ['/a//', ['a', '']],
    ['/a//b', ['a', '', 'b']],
    ['//', []],
    ['//a', ['', 'a']],
  ])('%j has the segments %j', (path, segments) => {
    expect(splitPath(path)).toEqual(segments);
  });
});
