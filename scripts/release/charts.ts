import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../checks/run-command.ts';
import { command } from './command.ts';
import { type Release, workFolder } from './release.ts';

const charts = join(root, 'deploy/charts');

/**
 * The charts as Helm installs them. `helm package` gives each file the time of the packing; these archives have that of
 * the commit.
 * @returns the files
 */
export function packCharts(release: Release): string[] {
  const target = join(release.folder, 'charts');
  mkdirSync(target, { recursive: true });
  return readdirSync(charts).sort().map((chart) => {
    const folder = workFolder(release, 'charts');
    cpSync(join(charts, chart), join(folder, chart), { recursive: true });
    const manifest = join(folder, chart, 'Chart.yaml');
    const ofRelease = readFileSync(manifest, 'utf8').replaceAll(/^(version|appVersion): .*$/gm, `$1: ${release.version}`);
    writeFileSync(manifest, ofRelease);
    const file = join(target, `${chart}-${release.version}.tgz`);
    command('tar', [
      '--create', '--file', file, '--use-compress-program', 'gzip -n -9', '--format', 'ustar', '--sort', 'name', '--mtime', `@${release.epoch}`,
      '--owner', '0', '--group', '0', '--numeric-owner', '--mode', 'u=rwX,go=rX', '--directory', folder, chart,
    ]);
    return file;
  });
}
