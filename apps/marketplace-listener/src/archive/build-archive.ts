import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { stringify } from 'yaml';
import { type InstallerRelease, installScript } from './install-script.ts';
import { readme } from './readme.ts';
import type { ArchiveValues } from './values.ts';

interface ArchiveFile {
  readonly name: string;
  readonly content: string;
  readonly executable?: true;
}

/** The files of an archive. `install.sh` contains no value that a customer chose (ADR 0135). */
export function archiveFiles(values: ArchiveValues, release: InstallerRelease): readonly ArchiveFile[] {
  const files: readonly ArchiveFile[] = [
    { name: 'README.md', content: readme(values, release) },
    { name: 'install.sh', content: installScript(release), executable: true },
    { name: 'values.yaml', content: valuesFile(values) },
  ];
  const sums = files.map(({ name, content }) => `${createHash('sha256').update(content).digest('hex')}  ${name}\n`);
  return [...files, { name: 'SHA256SUMS', content: sums.join('') }];
}

/** Returns a gzipped tar. Its file times are constant, so that equal files result in equal bytes. */
export async function buildArchive(files: readonly ArchiveFile[]): Promise<Buffer> {
  const tar = pack();
  for (const { name, content, executable } of files) {
    tar.entry({ name, mode: executable === true ? 0o755 : 0o600, mtime: new Date(0) }, content);
  }
  tar.finalize();
  return gzipSync(await buffer(tar));
}

/** The values of the chart. Strings and keys are in double quotes, so that YAML reads them as strings. */
function valuesFile(values: ArchiveValues): string {
  const { baseUrl, marketplace, installerId, owner, clusterId, providerAAccountID } = values;
  const { adminUsername, adminPassword, domainWhiteList, options } = values;
  const chartValues = {
    platform: { baseURL: baseUrl, marketplace, installerId, ownerId: owner.id, owner: owner.name, clusterId },
    ...(providerAAccountID === undefined ? {} : { providerAAccountID }),
    admin: { username: adminUsername, password: adminPassword },
    domainWhiteList, options,
  };
  return stringify(chartValues, {
    defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'QUOTE_DOUBLE', doubleQuotedAsJSON: true, lineWidth: 0,
    sortMapEntries: true, aliasDuplicateObjects: false,
  });
}
