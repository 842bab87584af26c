import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { migrate, placeOf, provision, provisionDatabase } from '@platform/postgres';
import { optional, readConfig, repeatUntil, Secret, services, silentLogger, Unavailable } from '@platform/service';
import { CommandFault } from '../command-fault.ts';
import { projectRoot } from '../home.ts';
import type { Environment } from '../settings.ts';
import { listenForStop } from '../stop-request.ts';
import type { Output } from '../output.ts';
import { step } from '../progress.ts';

/**
 * `platform migrate`: updates the schema of each service in `postgres.serviceURLs`. Services also do this when they
 * start. If `postgres.url` is set, first creates the missing databases, roles and schemas. `postgres.url` contains the
 * credentials of an administrator. Waits up to five minutes for PostgreSQL.
 * @throws ConfigError, CommandFault, MigrationRefused, MigrationFailed, PostgresUnavailable
 */
export async function migrateAll(environment: Environment, output: Output): Promise<void> {
  const picks = { administrator: optional('postgres.url'), serviceUrls: 'postgres.serviceURLs' } as const;
  const { administrator, serviceUrls } = readConfig(picks, { environment, log: silentLogger });
  const urls = new Map(serviceUrls.map(readServiceUrl));
  if (urls.size === 0) {
    const cure = 'Set postgres.serviceURLs. `platform prepare` writes this setting into the file of the part `cli`.';
    throw new CommandFault('No database is named', cure);
  }
  const stop = listenForStop();
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(300_000)]);
  const wait = () => step('Waiting for PostgreSQL');
  const untilAvailable = <T>(work: () => Promise<T>): Promise<T> => repeatUntil(work, {
    most: 2_000, signal, again: (error) => error instanceof Unavailable, failed: wait,
  });
  wait();
  if (administrator !== undefined) await untilAvailable(() => provisionAll(administrator, urls));
  const applied: Record<string, readonly string[]> = {};
  for (const { name } of services.filter(({ schema }) => schema === true)) {
    const url = urls.get(name);
    if (url === undefined) continue;
    const { schema } = placeOf(databaseOf(url), name);
    const directory = pathToFileURL(join(projectRoot, 'apps', name, 'migrations/'));
    const applying = (file: string, done: number, all: number) =>
      step(`Migrating ${name}`).reached(`${file}, ${done} of ${all} files done`);
    applied[name] = (await untilAvailable(() => migrate({ url, schema, directory, signal, applying }))).applied;
  }
  output.answer({ applied }, () => Object.entries(applied).map(([name, steps]) =>
    `${name}: ${steps.length === 0 ? 'up to date' : `applied ${steps.join(', ')}`}`));
}

/** Reads an entry of `postgres.serviceURLs`: `orgs-teams=postgres://…`. */
function readServiceUrl(entry: Secret): readonly [string, Secret] {
  const [, name, url] = /^([a-z-]+)=(postgres(?:ql)?:\/\/.+)$/.exec(entry.reveal()) ?? [];
  if (name !== undefined && url !== undefined && URL.canParse(url)) return [name, new Secret(url)];
  const cure = '`platform prepare` writes these entries.';
  throw new CommandFault('An entry of postgres.serviceURLs does not have the form `name=postgres://…`', cure);
}

async function provisionAll(superuserUrl: Secret, urls: ReadonlyMap<string, Secret>): Promise<void> {
  const byDatabase = Map.groupBy(urls, ([, url]) => databaseOf(url));
  for (const [database, entries] of byDatabase) {
    const ofServices = entries.filter(([name]) => services.some((service) => service.name === name));
    if (ofServices.length > 0) {
      const wanted = ofServices.map(([service, url]) => ({ service, password: passwordOf(url) }));
      await provision({ superuserUrl, database, services: wanted });
    }
    for (const [name, url] of entries.filter((entry) => !ofServices.includes(entry))) {
      await provisionDatabase({ superuserUrl, database, role: name, password: passwordOf(url) });
    }
  }
}

function databaseOf(url: Secret): string {
  return decodeURIComponent(new URL(url.reveal()).pathname.slice(1));
}

function passwordOf(url: Secret): Secret {
  return new Secret(decodeURIComponent(new URL(url.reveal()).password));
}
