import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, repositoryRoot, until } from '@platform/testing';

type Labels = Readonly<Record<string, string>>;

/** A Prometheus with the rules of deploy/observability, which scrapes every second. */
export interface Prometheus extends AsyncDisposable {
  readonly url: string;
  /** @throws when the expression cannot be answered */
  query(expression: string): Promise<{ labels: Labels; value: number }[]>;
  /** Labels of the alerts that fire. */
  firing(): Promise<(Labels & { readonly alertname: string })[]>;
  /** Rules that could not be evaluated, with the error. */
  brokenRules(): Promise<string[]>;
}

/** Starts a Prometheus; undefined where none is installed. */
export async function findPrometheus(): Promise<typeof startPrometheus | undefined> {
  return promisify(execFile)('prometheus', ['--version']).then(() => startPrometheus, () => undefined);
}

/** @param targets processes to scrape: a service, and `host:port` of its admin address */
async function startPrometheus(
  targets: readonly { readonly service: string; readonly target: string }[],
): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'platform-prometheus-'));
  const address = `127.0.0.1:${await freePort()}`;
  const configuration = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(repositoryRoot, 'deploy/observability/rules.yml')],
    scrape_configs: [{
      job_name: 'platform', honor_labels: true,
      static_configs: targets.map(({ service, target }) => ({ targets: [target], labels: { service } })),
    }],
  };
  // Prometheus reads YAML, and JSON is valid YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(configuration));
  const child = spawn('prometheus', [
    `--config.file=${join(folder, 'prometheus.yml')}`, `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`, '--log.level=error',
  ], { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'close');

  async function ask<Data>(path: string): Promise<Data> {
    const response = await fetch(`http://${address}/api/v1/${path}`);
    const answer = (await response.json()) as { status: string; data: Data; error?: string };
    if (answer.status !== 'success') throw new Error(answer.error);
    return answer.data;
  }

  const ready = async () => (await fetch(`http://${address}/-/ready`)).ok;
  await until(() => ready().catch(() => false), { within: 30_000, what: 'Prometheus answers' });
  return {
    url: `http://${address}`,
    query: async (expression) => {
      const path = `query?query=${encodeURIComponent(expression)}`;
      const { result } = await ask<{ result: { metric: Labels; value: [number, string] }[] }>(path);
      return result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
    },
    firing: async () => {
      const { alerts } = await ask<{ alerts: { state: string; labels: { alertname: string } }[] }>('alerts');
      return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels);
    },
    brokenRules: async () => {
      interface Rule { name: string; health: string; lastError?: string }
      const { groups } = await ask<{ groups: { rules: Rule[] }[] }>('rules');
      return groups.flatMap(({ rules }) => rules).filter(({ health }) => health !== 'ok')
        .map(({ name, health, lastError }) => `${name} is ${health}: ${lastError ?? ''}`);
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
