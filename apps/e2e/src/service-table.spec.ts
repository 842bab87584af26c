import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  isSecret, type Optional, secretsOf, type Service, services, type SettingKey, settings,
} from '@platform/service';
import { repositoryRoot } from '@platform/testing';
import { chartFiles } from './charts/chart-files.ts';

/** A program outside the platform that runs in each Kubernetes cluster. */
const agent = { name: 'cluster-agent' } as const;

/** The settings that a service reads. */
async function picksOf({ name }: Pick<Service, 'name'> | typeof agent): Promise<ReadonlySet<SettingKey>> {
  const { picks } = (await import(join(repositoryRoot, 'apps', name, 'src/start.ts'))) as {
    picks: Readonly<Record<string, SettingKey | Optional<SettingKey>>>;
  };
  return new Set(Object.values(picks).map((pick) => (typeof pick === 'string' ? pick : pick.optional)));
}

/** Settings that only the launcher or the CLI reads. */
const ofPlatform: readonly SettingKey[] = [
  'secrets.operatorCredential', 'postgres.binaries', 'nats.binary', 'openfga.binary', 'tls', 'config.file',
  'supervise.silence', 'server', 'token', 'postgres.serviceURLs',
];

describe('the table of services', () => {
  it.each(services)('names the secrets that $name reads, all of them and no others', async (service) => {
    const read = [...(await picksOf(service))].filter(isSecret);
    expect(read.toSorted()).toEqual(secretsOf(service).toSorted());
  });
});

it.each([...await chartFiles()].map(([path, text]) => [relative(repositoryRoot, path), text] as const))(
  '%s is what follows from the table of services and the settings', async (path, text) => {
    // If this fails, run: node scripts/with-node.mjs apps/e2e/src/charts/write-chart-files.ts
    expect(await readFile(join(repositoryRoot, path), 'utf8')).toBe(text);
  },
);

it('every setting is read by somebody', async () => {
  const read = new Set<SettingKey>(ofPlatform);
  for (const program of [...services, agent]) for (const key of await picksOf(program)) read.add(key);
  expect((Object.keys(settings) as SettingKey[]).filter((key) => !read.has(key))).toEqual([]);
});
