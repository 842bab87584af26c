import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '@platform/testing';
import { parse } from 'yaml';

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly record?: string; readonly expr: string }[] }[];
}

/** What `deploy/observability` expects of the metrics. */
export interface Deployed {
  /** Expressions of the dashboard and the rules. */
  readonly expressions: readonly string[];
  /** Names of recording rules, with their expressions. */
  readonly recorded: ReadonlyMap<string, string>;
}

export async function readDeployed(): Promise<Deployed> {
  const read = (file: string) => readFile(join(repositoryRoot, 'deploy/observability', file), 'utf8');
  const rules = (parse(await read('rules.yml')) as Rules).groups.flatMap((group) => group.rules);
  const recorded = rules.flatMap(({ record, expr }) => (record === undefined ? [] : [[record, expr] as const]));
  const panels = expressionsIn(JSON.parse(await read('dashboard.json')));
  return { expressions: [...rules.map(({ expr }) => expr), ...panels], recorded: new Map(recorded) };
}

function expressionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'expr' ? [String(inner)] : expressionsIn(inner)));
}
