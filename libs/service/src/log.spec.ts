import { describe, expect, it } from '@jest/globals';
import { createLogger } from './log.ts';
import { redactText } from './redact.ts';
import { Secret } from './secret.ts';

const token = '0123456789abcdef0123456789abcdef01234567';

function logged(write: (log: ReturnType<typeof createLogger>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  write(createLogger({ service: 'spec', destination: { write: (line) => lines.push(line) } }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('createLogger', () => {
  it('writes one JSON object per line with time, level, service, message and fields', () => {
    const [line] = logged((log) => log.info({ id: 7 }, 'done'));
    expect(line).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      level: 'info',
      service: 'spec',
      message: 'done',
      id: 7,
    });
  });

  it('adds the fields of a child to each of its lines, also through several', () => {
    const [line] = logged((log) => log.child({ requestId: 'r-1' }).child({ method: 'Get' }).warn({}, 'late'));
    expect(line).toMatchObject({ requestId: 'r-1', method: 'Get', level: 'warn' });
  });

  it('leaves out what is below its level', () => {
    expect(logged((log) => log.debug({}, 'detail'))).toEqual([]);
    logged((log) => expect([log.enabled('debug'), log.enabled('info')]).toEqual([false, true]));
  });

  it('keeps an error with its cause', () => {
    const error = new TypeError('outer', { cause: new RangeError('inner') });
    const [line] = logged((log) => log.error({ error }, 'failed'));
    expect(line?.['error']).toMatchObject({
      type: 'TypeError',
      message: 'outer',
      stack: expect.any(String),
      cause: { type: 'RangeError' },
    });
  });

  it.each<[string, object]>([
    ['a header', { headers: { Authorization: `Bearer ${token}` } }],
    ['a header in a list', { headers: ['authorization', `token ${token}`] }],
    ['a field by name', { access_token: 'shortOne', password: 'shortOne', sessionToken: 'shortOne' }],
    ['a value by look', { note: `it is ${token}.` }],
    ['a query string', { url: '/api/v1/orgs?page=1&access_token=shortOne&token=shortOne' }],
    ['an error text', { error: new Error(`cannot reach postgres://role:shortOne@host/db with ${token}`) }],
    ['a secret', { key: new Secret('shortOne') }],
    ['depth', { a: { b: { c: { d: { token } } } } }],
    ['a map', { a: new Map([['token', token]]) }],
  ])('shows no secret in %s', (_where, fields) => {
    const lines = [...logged((log) => log.info(fields, 'x')), ...logged((log) => log.child(fields).info({}, 'x'))];
    const text = JSON.stringify(lines);
    expect(lines).toHaveLength(2);
    expect(text).not.toContain(token);
    expect(text).not.toContain('shortOne');
  });

  it('writes what JSON cannot say: cycles, big integers, bytes', () => {
    const cycle: Record<string, unknown> = { big: 1n, bytes: Buffer.alloc(3) };
    cycle['self'] = cycle;
    const [line] = logged((log) => log.info(cycle, 'x'));
    expect(line).toMatchObject({ big: '1', bytes: '[3 bytes]' });
  });
});

describe('redactText', () => {
  it('reads a long text once', () => {
    const text = 'a-'.repeat(500_000);
    expect(redactText(text)).toBe(text);
    expect(redactText(`${text}postgres://role:shortOne@host/db`)).toBe(`${text}postgres://role:[redacted]@host/db`);
  });

  it('leaves ordinary text alone', () => {
    const text = 'GET /api/v1/orgs/acme?page=2 answered 401: token is required; commit 0123456789abcdef';
    expect(redactText(text)).toBe(text);
  });
});
