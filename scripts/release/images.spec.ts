import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { packCharts } from './charts.ts';
import { command } from './command.ts';
import { settleTimes } from './oci-layout.ts';
import { debianParts, servers } from './parts.ts';

const space = mkdtempSync(join(tmpdir(), 'platform-images-'));
afterAll(() => rmSync(space, { recursive: true, force: true }));

describe('the layout of images', () => {
  it('has the same bytes when Docker built its images at another time', () => {
    const [one, two] = ['2031-01-02T03:04:05Z', '2032-01-02T03:04:05Z'].map((time, at) => {
      const layout = layoutMadeAt(time, join(space, `layout-${at}`));
      return { digests: settleTimes(layout, 1_900_000_000), files: filesOf(layout) };
    });
    expect(one).toEqual(two);
    expect(one!.files.join()).not.toContain('2031');
  });

  it('names what is in it: each digest is that of a blob', () => {
    const layout = layoutMadeAt('2031-01-02T03:04:05Z', join(space, 'layout'));
    const { gateway } = settleTimes(layout, 1_900_000_000);
    const manifest = blob(layout, gateway!);
    const configuration = blob(layout, (JSON.parse(manifest) as { config: { digest: string } }).config.digest);
    expect(JSON.parse(configuration)).toEqual({
      created: '2030-03-17T17:46:40.000Z', history: [{ created: '2030-03-17T17:46:40.000Z', created_by: 'COPY' }],
    });
  });
});

it('the packed charts name all images by digest, and servers by those of the release', () => {
  const digests = Object.fromEntries(['gateway', 'cli', 'cluster-agent', ...servers].map((name) => [name, digestOf(name)]));
  const release = {
    version: '2031.2.3', epoch: 1_900_000_000, key: undefined, images: true,
    folder: join(space, 'dist'), work: join(space, 'work'),
  };
  const [agent, platform] = packCharts(release, digests).map((file) => parse(valuesOf(file)) as Values);
  expect(agent!.image.digest).toBe(digests['cluster-agent']);
  expect(platform!.image.digests).toEqual(digests);
  expect([platform!.postgres.image, platform!.nats.image, platform!.openfga.image]).toEqual(['', '', '']);
});

it('lists the packages of Debian that are installed, not those that were removed', () => {
  const status = [
    'Package: libc6\nStatus: install ok installed\nArchitecture: amd64\nVersion: 2.36-9+deb12u13',
    'Package: cron\nStatus: deinstall ok config-files\nArchitecture: amd64\nVersion: 3.0',
  ].join('\n\n');
  const purl = 'pkg:deb/debian/libc6@2.36-9%2Bdeb12u13?arch=amd64';
  expect(debianParts(status)).toEqual([
    { 'type': 'library', 'bom-ref': purl, 'name': 'libc6', 'version': '2.36-9+deb12u13', purl },
  ]);
});

interface Values {
  readonly image: { readonly digest?: string; readonly digests?: object };
  readonly postgres: { readonly image: string };
  readonly nats: { readonly image: string };
  readonly openfga: { readonly image: string };
}

/** A layout as skopeo writes it, with one image built at this time. */
function layoutMadeAt(created: string, layout: string): string {
  mkdirSync(join(layout, 'blobs/sha256'), { recursive: true });
  const write = (value: object): { digest: string; size: number } => {
    const text = JSON.stringify(value);
    const digest = digestOf(text);
    writeFileSync(join(layout, 'blobs', digest.replace(':', '/')), text);
    return { digest, size: text.length };
  };
  const manifest = write({ config: write({ created, history: [{ created, created_by: 'COPY' }] }), layers: [] });
  const annotations = { 'org.opencontainers.image.ref.name': 'gateway' };
  writeFileSync(join(layout, 'index.json'), JSON.stringify({ manifests: [{ ...manifest, annotations }] }));
  return layout;
}

function filesOf(layout: string): readonly string[] {
  const blobs = readdirSync(join(layout, 'blobs/sha256')).sort().map((name) => join(layout, 'blobs/sha256', name));
  return [join(layout, 'index.json'), ...blobs].map((file) => readFileSync(file, 'utf8'));
}

function blob(layout: string, digest: string): string {
  const text = readFileSync(join(layout, 'blobs', digest.replace(':', '/')), 'utf8');
  expect(digestOf(text)).toBe(digest);
  return text;
}

function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

function valuesOf(chart: string): string {
  const [name] = /[a-z-]+(?=-[0-9.]+\.tgz$)/.exec(chart)!;
  return command('tar', ['--extract', '--to-stdout', '--file', chart, `${name}/values.yaml`]);
}
