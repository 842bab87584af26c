import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../checks/run-command.ts';
import { packCharts } from './charts.ts';
import { writeChecksums } from './checksums.ts';
import { zipDocs } from './docs.ts';
import { makeImages, otherImages } from './images.ts';
import { noticesOfLock } from './notices.ts';
import { packCli, packClient } from './npm-packages.ts';
import { zipProtos } from './protos.ts';
import { otherPackages } from './other-packages.ts';
import { otherArchitectures } from './platforms.ts';
import type { Release } from './release.ts';

/**
 * Makes a release and prints the purpose of its files. After an error, deletes the folder.
 * @throws ReleaseFault
 */
export async function makeRelease(release: Release): Promise<void> {
  const { folder, work, key, missing, missingForOthers } = release;
  if (missing.length > 0) {
    console.error(`Left out: images/, sbom/, and the digests of images in the charts. This machine lacks ${missing.join(', ')}.`);
  } else if (missingForOthers.length > 0) {
    console.error(`Left out: images for ${otherArchitectures.join(', ')}. This machine lacks ${missingForOthers.join(', ')}.`);
  }
  rmSync(work, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    tell(await packClient(release), 'the REST API for TypeScript and JavaScript');
    tell(await packCli(release), 'the command line');
    const digests = missing.length === 0 ? await makeImages(release) : {};
    for (const name of Object.keys(digests)) tell(join(folder, 'images'), `${name}@${digests[name]}`);
    for (const chart of packCharts(release, digests)) tell(chart, 'for Helm');
    tell(zipProtos(release), 'gRPC');
    tell(zipDocs(release), 'the documents, for /docs of a web server');
    cpSync(join(root, 'docs/openapi.json'), join(folder, 'openapi.json'));
    tell(join(folder, 'openapi.json'), 'REST');
    const others = otherImages(release).map((architecture) => otherPackages(release, architecture));
    writeFileSync(join(folder, 'THIRD-PARTY-NOTICES'), noticesOfLock(others));
    tell(join(folder, 'THIRD-PARTY-NOTICES'), 'licences of the packages in a deployment');
    writeChecksums(release);
    tell(join(folder, 'SHA256SUMS'), key === undefined ? 'not signed: no --key' : 'signed: SHA256SUMS.sig');
  } catch (error) {
    // Delete the folder after a failure, because a partial release looks like a complete release.
    rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function tell(file: string, what: string): void {
  console.log(`${relative(process.cwd(), file)}  ${what}`);
}
