import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

import { packageOf, packageProblem, protoPackages } from './proto-packages.ts';
import { root } from './run-command.ts';

describe('packages of protos (ADR 0157)', () => {
  it('can be imported in each language', () => {
    const packages = protoPackages(join(root, 'proto'));
    expect([...packages.keys()]).toContain('controlplane.orgs.v1');
    const problems = [...packages].map(([name, [file]]) =>
      name === undefined ? `${file} has no package` : packageProblem(name) && `${file}: ${packageProblem(name)}`);
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
  });

  it.each([
    ['platform.orgs.v1', /^platform is a module/],
    ['types.v1', /^types is a module/],
    ['asyncio', /^asyncio is a module/],
    ['distutils.v1', /^distutils is a module/],
    ['package.v1', /^package is a keyword/],
    ['lambda.v1', /^lambda is a keyword/],
    ['native.v1', /^native is a keyword/],
    ['controlplane.import.v1', /^import is a keyword/],
    ['controlplane.func', /^func is a keyword/],
  ])('is refused as %s', (name, problem) => {
    expect(packageProblem(name)).toMatch(problem);
  });

  it.each(['controlplane.orgs.v1', 'controlplane', 'controlplane.platform.v1', 'Platform.v1'])('is taken as %s', (name) => {
    expect(packageProblem(name)).toBeUndefined();
  });

  it('is read from code, not from comments', () => {
    expect(packageOf('// package a.b;\nsyntax = "proto3";\n/* package c; */\n  package  d.e ;\n')).toBe('d.e');
    expect(packageOf('syntax = "proto3";\nmessage M { string package = 1; }\n')).toBeUndefined();
  });
});
