import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '@platform/testing';
import { parse } from 'yaml';

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly record?: string; readonly expr: string }[] }[];
}

/**
 * What `deploy/observability` expects of the metrics: the expressions of the dashboard and the rules, and the names of
 * recording rules with their expressions.
 */
export async function readDeployed() {
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
