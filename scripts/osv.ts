import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import type { AuditResult } from './audit-report.ts';
import type { LockedPackage } from './locked-packages.ts';

type Locked = Pick<LockedPackage, 'name' | 'version'>;

/** The part of an advisory in OSV format (https://ossf.github.io/osv-schema/) that is read here. */
interface Advisory {
  readonly id: string;
  readonly summary?: string;
  readonly withdrawn?: string;
  readonly affected?: readonly {
    readonly package?: { readonly ecosystem: string; readonly name: string };
    readonly ranges?: readonly { readonly type: string; readonly events: readonly RangeEvent[] }[];
    readonly versions?: readonly string[];
  }[];
}

interface RangeEvent {
  readonly introduced?: string;
  readonly fixed?: string;
  readonly last_affected?: string;
}

/** Checks packages against the advisories in a folder (JSON files, also in subfolders). */
export function readAdvisories(folder: string, locked: readonly Locked[]): AuditResult {
  const files = globSync('**/*.json', { cwd: folder }).sort();
  if (files.length === 0) return { code: 2, lines: [`${folder} contains no advisories: it has no file *.json.`] };
  const byName = Map.groupBy(locked, ({ name }) => name);
  const found: string[] = [];
  const unread: string[] = [];
  for (const file of files) {
    try {
      const advisory = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Advisory;
      if (typeof advisory.id !== 'string') throw new Error('it has no id');
      found.push(...affectedBy(advisory, byName));
    } catch (error) {
      unread.push(`${file} is no advisory: ${(error as Error).message}`);
    }
  }
  if (unread.length > 0) return { code: 2, lines: [...found, ...unread] };
  if (found.length > 0) return { code: 1, lines: found };
  return { code: 0, lines: [`None of ${files.length} advisories affects any of ${locked.length} packages.`] };
}

function affectedBy(advisory: Advisory, byName: ReadonlyMap<string, readonly Locked[]>): string[] {
  if (advisory.withdrawn !== undefined) return [];
  return (advisory.affected ?? []).flatMap(({ package: named, ranges = [], versions = [] }) => {
    if (named?.ecosystem !== 'npm') return [];
    return (byName.get(named.name) ?? [])
      // Ranges of type GIT contain commits, not versions.
      .filter(({ version }) => versions.includes(version)
        || ranges.some(({ type, events }) => type !== 'GIT' && isWithin(version, events)))
      .map(({ name, version }) => `${advisory.id}  ${name} ${version}: ${advisory.summary ?? 'without a summary'}`);
  });
}

/** Returns whether a version is affected: from `introduced`, up to `last_affected` or before `fixed`. */
function isWithin(version: string, events: readonly RangeEvent[]): boolean {
  const begins = (event: RangeEvent) => event.introduced === '0' ? '0.0.0-0' : event.introduced;
  const sorted = [...events].sort((one, other) => semver.compare(placeOf(one), placeOf(other)));
  let within = false;
  for (const event of sorted) {
    const begin = begins(event);
    if (begin !== undefined && semver.gte(version, begin)) within = true;
    if (event.fixed !== undefined && semver.gte(version, event.fixed)) within = false;
    if (event.last_affected !== undefined && semver.gt(version, event.last_affected)) within = false;
  }
  return within;

  function placeOf(event: RangeEvent): string {
    return begins(event) ?? event.fixed ?? event.last_affected ?? '0.0.0-0';
  }
}
