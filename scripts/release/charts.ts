import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument, stringify } from 'yaml';
import { root } from '../checks/run-command.ts';
import { command } from './command.ts';
import type { Digests } from './images.ts';
import { servers } from './parts.ts';
import { type Release, workFolder } from './release.ts';

const charts = join(root, 'deploy/charts');

/**
 * Packs the charts for Helm. Writes the digests of the images, if there are any, to `digests.yaml`. Uses tar, because
 * `helm package` would set the current time instead of the time of the commit. @returns the archives
 */
export function packCharts(release: Release, digests: Digests): string[] {
  const target = join(release.folder, 'charts');
  mkdirSync(target, { recursive: true });
  return readdirSync(charts).sort().map((chart) => {
    const folder = workFolder(release, 'charts');
    cpSync(join(charts, chart), join(folder, chart), { recursive: true });
    const manifest = join(folder, chart, 'Chart.yaml');
    const ofRelease = readFileSync(manifest, 'utf8').replaceAll(/^(version|appVersion): .*$/gm, `$1: ${release.version}`);
    writeFileSync(manifest, ofRelease);
    // Without digests, the chart uses public images of servers, and our images by their tag.
    if (Object.keys(digests).length > 0) nameImages(join(folder, chart), digests);
    const file = join(target, `${chart}-${release.version}.tgz`);
    command('tar', [
      '--create', '--file', file, '--use-compress-program', 'gzip -n -9', '--format', 'ustar', '--sort', 'name', '--mtime', `@${release.epoch}`,
      '--owner', '0', '--group', '0', '--numeric-owner', '--mode', 'u=rwX,go=rX', '--directory', folder, chart,
    ]);
    return file;
  });
}

/** Writes the digests for the templates. Clears the server images in the values: the release has its own images. */
function nameImages(chart: string, digests: Digests): void {
  writeFileSync(join(chart, 'digests.yaml'), stringify(digests));
  const file = join(chart, 'values.yaml');
  const values = parseDocument(readFileSync(file, 'utf8'));
  for (const server of servers) {
    if (values.hasIn([server, 'image'])) values.setIn([server, 'image'], '');
  }
  writeFileSync(file, values.toString({ lineWidth: 0 }));
}
