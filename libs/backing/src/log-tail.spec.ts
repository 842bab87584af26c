import { describe, expect, it } from '@jest/globals';
import { lastWords } from './log-tail.ts';

describe('lastWords', () => {
  it('finds the reason in structured lines', () => {
    const text = [
      'cut off"}',
      '{"level":"info","message":"migrating"}',
      '{"level":"fatal","message":"the start failed","error":{"message":"schema from the future"}}',
      '{"level":"warn","message":"something kept the process from ending"}',
    ].join('\n');
    expect(lastWords(text)).toBe('the start failed: schema from the future');
  });

  it('names every setting that cannot be used', () => {
    const problems = [
      { where: 'PLATFORM_A', found: 'is "x"', accepts: 'a port' },
      { where: 'PLATFORM_B', found: 'is required and not set', accepts: 'a text' },
    ];
    const words = lastWords(JSON.stringify({ level: 'fatal', message: 'unusable', problems }));
    expect(words).toContain('PLATFORM_A');
    expect(words).toContain('PLATFORM_B');
  });

  it('finds an error that nobody caught', () => {
    const text = 'node:internal:1\n  throw err;\n  ^\nError: Cannot find module x\n    at y\n\nNode.js v24.0.0\n';
    expect(lastWords(text)).toBe('Error: Cannot find module x');
  });

  it('shows the end of other text on one line', () => {
    expect(lastWords('one\n  two\n')).toBe('one | two');
    expect(lastWords('')).toBe('(nothing logged)');
  });
});
