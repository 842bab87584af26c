import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { root } from '../checks/run-command.ts';
import { command } from './command.ts';
import type { Digests } from './images.ts';
import { servers } from './parts.ts';
import { type Release, workFolder } from './release.ts';

const charts = join(root, 'deploy/charts');

/**
 * Packs the charts for Helm; their values name each image by its digest. `helm package` would use the time of packing
 * for each file; these archives use the time of the commit. @returns the files
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
    const values = join(folder, chart, 'values.yaml');
    writeFileSync(values, withDigests(chart, readFileSync(values, 'utf8'), digests));
    const file = join(target, `${chart}-${release.version}.tgz`);
    command('tar', [
      '--create', '--file', file, '--use-compress-program', 'gzip -n -9', '--format', 'ustar', '--sort', 'name', '--mtime', `@${release.epoch}`,
      '--owner', '0', '--group', '0', '--numeric-owner', '--mode', 'u=rwX,go=rX', '--directory', folder, chart,
    ]);
    return file;
  });
}

/** Without digests, the chart uses public images of servers, and our images by their tag. */
function withDigests(chart: string, values: string, digests: Digests): string {
  if (Object.keys(digests).length === 0) return values;
  const document = parseDocument(values);
  if (chart === 'cluster-agent') {
    document.setIn(['image', 'digest'], digests[chart]);
  } else {
    document.setIn(['image', 'digests'], document.createNode(digests));
    for (const server of servers) document.setIn([server, 'image'], '');
  }
  return document.toString({ lineWidth: 0 });
}
