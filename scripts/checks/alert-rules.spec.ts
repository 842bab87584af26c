import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

import { root } from './run-command.ts';

const run = promisify(execFile);
const folder = join(root, 'deploy/observability');
const hasPromtool = await run('promtool', ['--version']).then(() => true, () => false);
if (!hasPromtool) {
  process.stdout.write('The rules are not tried: there is no promtool (Debian has it in the package prometheus).\n');
}

it('every alert has its entry in the runbook, and every entry its alert', async () => {
  const rules = await readFile(join(folder, 'rules.yml'), 'utf8');
  const tests = await readFile(join(folder, 'rules.test.yml'), 'utf8');
  const runbook = await readFile(join(root, 'docs/runbook.md'), 'utf8');
  const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!);
  const alerts = named(rules, /- alert: (\w+)/g);
  expect(named(runbook, /^## (\w+)$/gm)).toEqual(alerts);
  expect(named(rules, /runbook: docs\/runbook\.md#(\w+)/g)).toEqual(alerts.map((name) => name.toLowerCase()));
  expect(named(tests, /- name: (\w+) fires/g)).toEqual(alerts);
  expect(named(tests, /- name: (\w+) is silent/g)).toEqual(alerts);
});

it('every line of a log that the runbook quotes is a line that a service can write', async () => {
  const runbook = await readFile(join(root, 'docs/runbook.md'), 'utf8');
  const quoted = [...runbook.matchAll(/`([a-z]+(?: [a-z:,]+){2,})`/g)].map(([, text]) => text!)
    .filter((text) => !/^(npm|npx|nats|kubectl|helm) /.test(text));
  expect(quoted.length).toBeGreaterThan(10);
  const isWritten = (text: string) =>
    run('git', ['grep', '-qF', text, '--', 'apps/*.ts', 'libs/*.ts', ':!*.spec.ts'], { cwd: root }).then(() => true, () => false);
  const missing = await Promise.all(quoted.map(async (text) => ((await isWritten(text)) ? [] : [text])));
  expect(missing.flat()).toEqual([]);
});

(hasPromtool ? it : it.skip)('Prometheus takes rules, example and dashboard, and the alerts fire when they should', async () => {
  const promtool = async (...args: string[]) =>
    run('promtool', args, { cwd: folder }).then(() => 'fine', ({ stdout, stderr }) => `${stdout}${stderr}`);
  expect(await promtool('check', 'config', 'prometheus.yml')).toBe('fine');
  expect(await promtool('test', 'rules', 'rules.test.yml')).toBe('fine');
  const expressions = expressionsIn(JSON.parse(await readFile(join(folder, 'dashboard.json'), 'utf8')));
  expect(expressions.length).toBeGreaterThan(30);
  const temporary = await mkdtemp(join(tmpdir(), 'platform-dashboard-'));
  try {
    const rules = expressions.map((expr, index) => ({ record: `panel:${index}`, expr }));
    const file = join(temporary, 'panels.json');
    await writeFile(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    expect(await promtool('check', 'rules', file)).toBe('fine');
  } finally {
    await rm(temporary, { recursive: true });
  }
}, 60_000);

/** Every `expr` of a dashboard, with values for its variables as Grafana inserts them. */
function expressionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'expr' ? [String(inner).replaceAll('$__rate_interval', '5m').replaceAll('$service', '.*')] : expressionsIn(inner));
}
