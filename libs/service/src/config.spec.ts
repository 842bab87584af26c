import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { ConfigProblem, ConfigSource, Picks } from './config.ts';
import { ConfigError, everySetting, optional, readConfig } from './config.ts';
import { createLogger } from './log.ts';

function write(name: string, content: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'config-')), name);
  writeFileSync(file, content);
  return file;
}

function problemsOf(picks: Picks, source: ConfigSource): readonly ConfigProblem[] {
  try {
    readConfig(picks, source);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

function warningsOf(source: ConfigSource): readonly Record<string, unknown>[] {
  const lines: string[] = [];
  const log = createLogger({ service: 'spec', destination: { write: (line) => lines.push(line) } });
  readConfig({}, { ...source, log });
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('readConfig', () => {
  it('reads the environment before the file before the default', () => {
    const file = write('platform.yaml', 'http: {port: 1000, host: 0.0.0.0}\nlog.level: debug\n');

    const config = readConfig(
      { port: 'http.port', host: 'http.host', level: 'log.level', mode: 'run.mode' },
      { environment: { PLATFORM_HTTP_PORT: '2000' }, file },
    );

    expect(config).toEqual({ port: 2000, host: '0.0.0.0', level: 'debug', mode: 'prod' });
  });

  it('finds platform.yaml in the state folder', () => {
    const file = write('platform.yaml', 'http.port: 1234');
    const config = readConfig({ port: 'http.port' }, { environment: { PLATFORM_HOME: join(file, '..') } });
    expect(config.port).toBe(1234);
  });

  it('takes YAML lists, numbers and booleans', () => {
    const file = write(
      'platform.yaml',
      'http: {trustedProxies: [10.0.0.0/8, 192.168.0.1]}\nbilling: {enabled: true}\n',
    );
    const config = readConfig(
      { proxies: 'http.trustedProxies', billing: 'billing.enabled' },
      { environment: {}, file },
    );
    expect(config).toEqual({ proxies: ['10.0.0.0/8', '192.168.0.1/32'], billing: 'true' });
  });

  it('takes an empty value as not given', () => {
    const config = readConfig(
      { type: 'deployment.type', endpoint: optional('telemetry.endpoint') },
      { environment: { PLATFORM_DEPLOYMENT_TYPE: '', PLATFORM_TELEMETRY_ENDPOINT: ' ' } },
    );
    expect(config).toEqual({ type: 'SelfHostedProduction', endpoint: undefined });
  });

  it('reports everything that is wrong at once, with where and what is accepted', () => {
    const file = write('platform.yaml', 'http: {host: [a]}\nstop.timeout: {a: 1}\n');

    const problems = problemsOf(
      { port: 'http.port', host: 'http.host', stop: 'stop.timeout', postgres: 'postgres.url', level: 'log.level' },
      { environment: { PLATFORM_HTTP_PORT: '99999', PLATFORM_LOG_LEVEL: 'loud' }, file },
    );

    expect(problems.map(({ key, where }) => [key, where])).toEqual([
      ['http.port', 'PLATFORM_HTTP_PORT'],
      ['http.host', `${file}, http.host`],
      ['stop.timeout', `${file}, stop.timeout`],
      ['postgres.url', 'PLATFORM_POSTGRES_URL (or PLATFORM_POSTGRES_URL_FILE)'],
      ['log.level', 'PLATFORM_LOG_LEVEL'],
    ]);
    expect(problems.find(({ key }) => key === 'http.port')).toMatchObject({
      found: expect.stringContaining('99999'),
      accepts: expect.stringContaining('65535'),
    });
  });

  it('reports what is wrong in the file also where the environment overrides it', () => {
    const file = write('platform.yaml', 'http: {port: 99999, host: [a]}\npostgres.url: https://me:hidden@db\n');
    const environment = {
      PLATFORM_HTTP_PORT: '2000', PLATFORM_HTTP_HOST: '0.0.0.0', PLATFORM_POSTGRES_URL: 'postgres://db/platform',
    };

    const problems = problemsOf({ port: 'http.port', host: 'http.host', postgres: 'postgres.url' }, { environment, file });

    expect(problems).toEqual([
      { key: 'http.port', where: `${file}, http.port`, found: 'is "99999"', accepts: 'a whole number from 0 to 65535' },
      expect.objectContaining({ where: `${file}, http.host`, found: 'is a list' }),
      expect.objectContaining({ where: `${file}, postgres.url`, found: 'has an invalid value' }),
    ]);
  });

  it('shows no secret, neither in errors nor in what prints the configuration', () => {
    const [problem] = problemsOf(
      { url: 'postgres.url' },
      { environment: { PLATFORM_POSTGRES_URL: 'mysql://u:hunter2@h' } },
    );
    const config = readConfig({ key: 'secrets.tokenKey' }, { environment: { PLATFORM_SECRETS_TOKEN_KEY: 'hunter2' } });

    expect(JSON.stringify(problem)).not.toContain('hunter2');
    expect([inspect(config), JSON.stringify(config), `${config.key}`].join()).not.toContain('hunter2');
    expect(config.key.reveal()).toBe('hunter2');
  });

  it('reads a secret from a file, and refuses two sources for one', () => {
    const path = write('key', 'hunter2\n');
    const environment = { PLATFORM_SECRETS_TOKEN_KEY_FILE: path };

    expect(readConfig({ key: 'secrets.tokenKey' }, { environment }).key.reveal()).toBe('hunter2');
    expect(
      problemsOf({ key: 'secrets.tokenKey' }, { environment: { ...environment, PLATFORM_SECRETS_TOKEN_KEY: 'x' } }),
    ).toHaveLength(1);
    expect(
      problemsOf({ key: 'secrets.tokenKey' }, { environment: { PLATFORM_SECRETS_TOKEN_KEY_FILE: `${path}.not` } }),
    ).toHaveLength(1);
  });

  it.each([
    ['no mapping', '- a'],
    ['no YAML', 'a: [hunter2'],
    ['a key twice, nested and flat', 'http: {port: 1}\nhttp.port: 2'],
    ['a key twice', 'a: 1\na: 2'],
  ])('refuses a file with %s without quoting it', (_case, content) => {
    const problems = problemsOf({}, { environment: {}, file: write('platform.yaml', content) });
    expect(problems).toEqual([expect.objectContaining({ key: '' })]);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  it('refuses a named file that is not there', () => {
    expect(problemsOf({}, { environment: { PLATFORM_CONFIG_FILE: '/nonexistent/platform.yaml' } })).toHaveLength(1);
  });

  it('warns of names nobody knows, with the nearest that is known', () => {
    const file = write('platform.yaml', 'billing: {enabeld: true}');
    const warnings = warningsOf({ environment: { PLATFORM_HTTP_PROT: '1', PLATFORM_ZZZZZZZZ: '1', HOME: '/' }, file });

    expect(warnings.map(({ setting, nearest }) => [setting, nearest])).toEqual([
      ['PLATFORM_HTTP_PROT', 'PLATFORM_HTTP_PORT'],
      ['PLATFORM_ZZZZZZZZ', undefined],
      ['billing.enabeld', 'billing.enabled'],
    ]);
  });

  it('reads every setting for a process that hands them on, with its default where it has one', () => {
    const config = readConfig(everySetting, { environment: { PLATFORM_HTTP_PORT: '81' } });
    expect(config).toMatchObject({ 'http.port': 81, 'run.mode': 'prod', 'stop.timeout': 10_000 });
    expect(config['postgres.url']).toBeUndefined();
  });

  it('reports broken rules over several settings beside what is wrong with each', () => {
    const file = write('platform.yaml', 'http.host: here');
    const problems = problemsOf({ port: 'http.port', host: 'http.host', base: optional('http.baseURL') }, {
      environment: { PLATFORM_HTTP_PORT: 'x' },
      file,
      rule: (given) => [{
        key: 'http.host',
        where: [given('http.port'), given('http.host'), given('http.baseURL')].join(' and '),
        found: 'do not go together',
        accepts: 'another',
      }],
    });
    expect(problems.map(({ where }) => where)).toEqual([
      'PLATFORM_HTTP_PORT', `PLATFORM_HTTP_PORT and ${file}, http.host and `,
    ]);
  });

  it('does not warn of settings of other services, or of files of secrets', () => {
    const environment = { PLATFORM_OPENFGA_URL: 'http://h', PLATFORM_SECRETS_TOKEN_KEY_FILE: '/x' };
    expect(warningsOf({ environment })).toEqual([]);
  });
});
