import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { services } from '@platform/service';
import { repositoryRoot } from '@platform/testing';
import { stringify } from 'yaml';
import { chartRows } from './chart-rows.ts';
import { deploymentFiles } from './deployment-files.ts';
import { chartSettings, givenKeys, settingsSchema } from './settings-schema.ts';
import { type ValuesSchema, valuesTable } from './values-table.ts';

export const chart = join(repositoryRoot, 'deploy/charts/platform');
export const agentChart = join(repositoryRoot, 'deploy/charts/cluster-agent');

/**
 * Files of the deployment that are generated from the product, by path: `service-table.spec.ts` compares them,
 * `write-chart-files.ts` writes them.
 */
export async function chartFiles(): Promise<ReadonlyMap<string, string>> {
  const written = '# Written by apps/e2e/src/charts/write-chart-files.ts; do not edit.\n';
  const { version } = await readJson<{ version: string }>(join(repositoryRoot, 'package.json'));
  const copied = ['rules.yml', 'dashboard.json'].map(async (name) => [
    join(chart, 'observability', name), await readFile(join(repositoryRoot, 'deploy/observability', name), 'utf8'),
  ] as const);
  const versions = [chart, agentChart].map(async (folder) => {
    const text = await readFile(join(folder, 'Chart.yaml'), 'utf8');
    return [join(folder, 'Chart.yaml'), text.replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`)] as const;
  });
  const document = join(repositoryRoot, 'docs/kubernetes.md');
  const schema = await chartSchema();
  const agentSchema = await readJson<ValuesSchema>(join(agentChart, 'values.schema.json'));
  const tables = [
    ['platform', await valuesTable(chart, schema)], ['cluster-agent', await valuesTable(agentChart, agentSchema)],
  ] as const;
  const text = tables.reduce((before, [name, table]) => {
    const [begin, end] = [`<!-- values of ${name} -->\n`, '<!-- end -->'];
    const at = before.indexOf(begin) + begin.length;
    return before.slice(0, at) + table + before.slice(before.indexOf(end, at));
  }, await readFile(document, 'utf8'));
  return new Map([
    [document, text],
    [join(chart, 'services.yaml'), written + stringify(await chartRows(), { aliasDuplicateObjects: false })],
    [join(chart, 'settings.yaml'), written + stringify(chartSettings())],
    [join(chart, 'values.schema.json'), `${JSON.stringify(schema, undefined, 2)}\n`],
    [join(agentChart, 'hooks/check-upgrade.mjs'), await readFile(join(chart, 'hooks/check-upgrade.mjs'), 'utf8')],
    ...await Promise.all([...copied, ...versions]),
    ...await deploymentFiles(version),
  ]);
}

/** The schema of the chart's values: written by hand, except the parts generated from settings and services. */
async function chartSchema(): Promise<ValuesSchema> {
  const schema = await readJson<ValuesSchema>(join(chart, 'values.schema.json'));
  const { settings, services: overrides, secrets, workload } = schema.properties!;
  settings!.properties = settingsSchema() as Record<string, ValuesSchema>;
  overrides!.properties = Object.fromEntries(services.map(({ name }) => [name, withoutTexts(workload!)]));
  Object.assign(secrets!.properties!['given']!.properties!['keys']!, { items: { enum: givenKeys() } });
  return schema;
}

async function readJson<Value>(path: string): Promise<Value> {
  return JSON.parse(await readFile(path, 'utf8')) as Value;
}

function withoutTexts({ description: _, ...schema }: ValuesSchema): ValuesSchema {
  const { properties } = schema;
  if (properties === undefined) return schema;
  const entries = Object.entries(properties).map(([name, value]) => [name, withoutTexts(value)]);
  return { ...schema, properties: Object.fromEntries(entries) as Record<string, ValuesSchema> };
}
