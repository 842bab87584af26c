import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { packCharts } from './charts.ts';
import { demandSchema } from './check-parts.ts';
import { command } from './command.ts';
import { missingForImages } from './images.ts';
import { finishLayout, partialName } from './oci-layout.ts';
import { type BuiltImage, debianParts, goParts, servers } from './parts.ts';
import { missingForEmulation, otherArchitectures } from './platforms.ts';
import { tryImage } from './try-image.ts';

const space = mkdtempSync(join(tmpdir(), 'platform-images-'));
afterAll(() => rmSync(space, { recursive: true, force: true }));

describe('the layout of images', () => {
  it('has the same bytes when Docker built its images at another time', () => {
    const [one, two] = ['2031-01-02T03:04:05Z', '2032-01-02T03:04:05Z'].map((time, at) => {
      const layout = layoutMadeAt(time, join(space, `layout-${at}`));
      return { digests: finishLayout(layout, () => 1_900_000_000), files: filesOf(layout) };
    });
    expect(one).toEqual(two);
    expect(one!.files.join()).not.toContain('2031');
  });

  it('names an index of platforms per image: each digest is that of a blob', () => {
    const layout = layoutMadeAt('2031-01-02T03:04:05Z', join(space, 'layout'));
    const digests = finishLayout(layout, () => 1_900_000_000);
    const { manifests } = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as Index;
    expect(manifests.map(({ digest, annotations }) => [annotations!['org.opencontainers.image.ref.name'], digest]))
      .toEqual(Object.entries(digests));
    expect(Object.keys(digests)).toEqual(['cli', 'gateway']);
    const images = (JSON.parse(blob(layout, digests['gateway']!)) as Index).manifests;
    expect(images.map(({ platform }) => platform)).toEqual([
      { architecture: 'amd64', os: 'linux' }, { architecture: 'arm64', os: 'linux', variant: 'v8' },
    ]);
    const [configuration] = images.map(({ digest }) => {
      const { config } = JSON.parse(blob(layout, digest)) as { config: { digest: string } };
      return JSON.parse(blob(layout, config.digest)) as object;
    });
    const created = '2030-03-17T17:46:40.000Z';
    expect(configuration).toEqual({ created, architecture: 'amd64', os: 'linux', history: [{ created, created_by: 'COPY' }] });
  });
});

it('the packed charts name all images by digest, and servers by those of the release', () => {
  const digests = Object.fromEntries(['gateway', 'cli', 'cluster-agent', ...servers].map((name) => [name, digestOf(name)]));
  const release = {
    version: '2031.2.3', epoch: 1_900_000_000, key: undefined, missing: [], missingForOthers: [],
    folder: join(space, 'dist'), work: join(space, 'work'),
  };
  const charts = packCharts(release, digests);
  for (const chart of charts) expect(parse(fileOf(chart, 'digests.yaml'))).toEqual(digests);
  const [agent, platform] = charts.map((chart) => parse(fileOf(chart, 'values.yaml')) as Values);
  expect(agent).not.toHaveProperty('postgres');
  expect([platform!.postgres.image, platform!.nats.image, platform!.openfga.image]).toEqual(['', '', '']);
});

describe('what a machine lacks for images', () => {
  it('is each program, and root', () => {
    const names = missingForImages({ PATH: space });
    expect(names.slice(0, 4)).toEqual(['docker', 'debootstrap', 'skopeo', 'go'].map((name) => `the program ${name}`));
    expect(names.includes('the rights of root, for debootstrap')).toBe(process.getuid?.() !== 0);
  });

  it('is a docker that builds, where the one in PATH does not', () => {
    const folder = mkdtempSync(join(space, 'path-'));
    for (const [name, text] of [['docker', 'echo "no buildx" >&2; echo more >&2; exit 1'], ['debootstrap', ''], ['skopeo', ''], ['go', '']] as const) {
      writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(folder, name), 0o755);
    }
    expect(missingForImages({ PATH: folder }).at(-1)).toBe('a Docker that builds with BuildKit (docker says: no buildx)');
  });
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

it('lists the modules in a program of Go, without those that a folder replaces', () => {
  const printed = [
    '/openfga: go1.26.8', 'path\texample.org/server/cmd', 'mod\texample.org/server\tv1.22.1\th1:x=',
    'dep\texample.org/one\tv0.1.0+incompatible\th1:y=', 'dep\texample.org/two\tv1.60.1', '=>\t./without/two\t(devel)\t',
    'build\t-compiler=gc', 'build\tGOARCH=arm64', '',
  ].join('\n\t');
  expect(goParts(printed, 'arm64').map(({ type, purl }) => `${type} ${purl}`)).toEqual([
    'application pkg:golang/example.org/server@v1.22.1', 'library pkg:golang/example.org/one@v0.1.0%2Bincompatible',
    'library pkg:golang/stdlib@v1.26.8',
  ]);
  expect(() => goParts(printed, 'amd64')).toThrow('A program in an image for amd64 is built for arm64.');
});

describe('what a machine lacks for images of another architecture', () => {
  const registered = (lines: string): string => {
    const folder = mkdtempSync(join(space, 'binfmt-'));
    for (const name of ['aarch64', 'x86_64']) writeFileSync(join(folder, `qemu-${name}`), lines);
    return folder;
  };
  const lacks = [
    `an emulator for ${otherArchitectures[0]}: the package qemu-user-static, registered in binfmt_misc with the flag F`,
  ];

  it('is nothing, where the kernel opens an emulator for its programs', () => {
    expect(missingForEmulation(registered('enabled\ninterpreter /usr/bin/emulator\nflags: POF\noffset 0\n'))).toEqual([]);
  });

  it.each([
    ['is not registered', join(space, 'nowhere')],
    ['is switched off', registered('disabled\ninterpreter /usr/bin/emulator\nflags: POF\n')],
    ['is not in containers', registered('enabled\ninterpreter /usr/bin/emulator-F\nflags: OP\n')],
  ])('is an emulator that %s', (_, folder) => {
    expect(missingForEmulation(folder)).toEqual(lacks);
  });
});

describe('a run of an image', () => {
  const image = (name: string): BuiltImage => ({ name, reference: `it/${name}:1`, architecture: 'arm64', nodeVersion: '24.1.0' });
  /** Returns an environment with a fake `docker` that prints its arguments and then runs the shell code `answer`. */
  const docker = (answer: string): NodeJS.ProcessEnv => {
    const folder = mkdtempSync(join(space, 'path-'));
    writeFileSync(join(folder, 'docker'), `#!/bin/sh\necho "$@"\n${answer}\n`);
    chmodSync(join(folder, 'docker'), 0o755);
    return { PATH: folder };
  };

  it.each([
    ['cli', 'if [ "$8" = node ]; then echo arm64; else echo v2031.2.3; fi'],
    ['clusters', `if [ "$8" = node ]; then echo arm64; else
      echo '{"service":"clusters","problems":[],"message":"the configuration cannot be used"}'; exit 1; fi`],
    ['postgres', 'echo "postgres (PostgreSQL) 18.4"'],
    ['openfga', 'echo "OpenFGA version \\`v1.22.1\\` build"'],
  ])('passes where the programs of %s say what they are', (name, answer) => {
    expect(() => tryImage(image(name), '2031.2.3', docker(answer))).not.toThrow();
  });

  it.each([
    ['cli', 'echo x64', 'The image cli for arm64 does not run "node --print process.arch": exit code 0: '],
    ['nats', 'echo exec format error >&2; exit 1', 'The image nats for arm64 does not run "--version": exit code 1: '],
  ])('fails where a program of %s says something else', (name, answer, message) => {
    expect(() => tryImage(image(name), '2031.2.3', docker(answer))).toThrow(message);
  });
});

it('refuses a list that does not fit the schema, and says where', async () => {
  const list = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components: [{ type: 'library', name: 'one' }] };
  await demandSchema('gateway', list);
  await expect(demandSchema('gateway', { ...list, components: [{ type: 'package', name: 'one' }] }))
    .rejects.toThrow(/^The list of components of gateway does not fit CycloneDX 1\.6: .*components\/0\/type/);
});

interface Index {
  readonly manifests: readonly {
    readonly digest: string;
    readonly platform?: object;
    readonly annotations?: Readonly<Record<string, string>>;
  }[];
}

interface Values {
  readonly postgres: { readonly image: string };
  readonly nats: { readonly image: string };
  readonly openfga: { readonly image: string };
}

/** A layout as skopeo writes it, with images built at this time. */
function layoutMadeAt(created: string, layout: string): string {
  mkdirSync(join(layout, 'blobs/sha256'), { recursive: true });
  const write = (value: object): { digest: string; size: number } => {
    const text = JSON.stringify(value);
    const digest = digestOf(text);
    writeFileSync(join(layout, 'blobs', digest.replace(':', '/')), text);
    return { digest, size: text.length };
  };
  const images = [
    ['gateway', { architecture: 'arm64', os: 'linux', variant: 'v8' }],
    ['gateway', { architecture: 'amd64', os: 'linux' }], ['cli', { architecture: 'amd64', os: 'linux' }],
  ] as const;
  const manifests = images.map(([name, platform]) => {
    const config = write({ created, ...platform, history: [{ created, created_by: 'COPY' }] });
    const annotations = { 'org.opencontainers.image.ref.name': partialName(name, platform.architecture) };
    return { ...write({ config, layers: [{ digest: digestOf(name) }] }), annotations };
  });
  writeFileSync(join(layout, 'index.json'), JSON.stringify({ manifests }));
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

function fileOf(chart: string, file: string): string {
  const [name] = /[a-z-]+(?=-[0-9.]+\.tgz$)/.exec(chart)!;
  return command('tar', ['--extract', '--to-stdout', '--file', chart, `${name}/${file}`]);
}
