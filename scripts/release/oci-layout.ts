import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A reference to a blob of a layout. */
interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: Platform;
  readonly annotations?: Readonly<Record<string, string>>;
}
interface Platform {
  readonly architecture: string;
  readonly os: string;
  readonly variant?: string;
}
interface Manifest {
  config: Descriptor;
}
interface Configuration extends Platform {
  created?: string;
  readonly history?: { created?: string }[];
}

const nameKey = 'org.opencontainers.image.ref.name';
const indexType = 'application/vnd.oci.image.index.v1+json';

/** Returns the name of an image for one architecture in the layout, before `finishLayout` joins the architectures. */
export function partialName(name: string, architecture: string): string {
  return `${name}.${architecture}`;
}

/**
 * Joins the images with the same name to one image index, which lists their platforms. Replaces their creation times,
 * because Docker writes the time of the build.
 * @param epochOf returns the creation time of an image, in seconds
 * @returns digest of the index by name of the image
 */
export function finishLayout(layout: string, epochOf: (name: string) => number): Readonly<Record<string, string>> {
  const file = join(layout, 'index.json');
  const { manifests } = JSON.parse(readFileSync(file, 'utf8')) as { readonly manifests: readonly Descriptor[] };
  const before = new Set(manifests.flatMap((one) => [one.digest, (read(layout, one) as Manifest).config.digest]));
  const after = new Set<string>();
  const write = (value: object, { mediaType }: Pick<Descriptor, 'mediaType'>): Descriptor => {
    const text = JSON.stringify(value);
    const digest = digestOf(text);
    writeFileSync(blob(layout, digest), text);
    after.add(digest);
    return { mediaType, digest, size: Buffer.byteLength(text) };
  };
  const ofPlatform = (descriptor: Descriptor, created: string): Descriptor => {
    const manifest = read(layout, descriptor) as Manifest;
    const configuration = read(layout, manifest.config) as Configuration;
    configuration.created = created;
    for (const step of configuration.history ?? []) step.created = created;
    manifest.config = write(configuration, manifest.config);
    return { ...write(manifest, descriptor), platform: platformOf(configuration) };
  };
  const named = Map.groupBy(manifests, ({ annotations }) => annotations![nameKey]!.split('.')[0]!);
  const indexes = [...named].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, images]) => {
    const created = new Date(epochOf(name) * 1000).toISOString();
    const platforms = images.map((image) => ofPlatform(image, created))
      .sort((one, other) => (one.platform!.architecture < other.platform!.architecture ? -1 : 1));
    const index = write({ schemaVersion: 2, mediaType: indexType, manifests: platforms }, { mediaType: indexType });
    return { ...index, annotations: { [nameKey]: name } };
  });
  writeFileSync(file, JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests: indexes }));
  // Remove old blobs last, because images may share a configuration.
  for (const digest of before.difference(after)) rmSync(blob(layout, digest));
  return Object.fromEntries(indexes.map(({ digest, annotations }) => [annotations[nameKey]!, digest]));
}

function platformOf({ architecture, os, variant }: Configuration): Platform {
  return { architecture, os, ...(variant === undefined ? {} : { variant }) };
}

function read(layout: string, { digest }: Descriptor): unknown {
  return JSON.parse(readFileSync(blob(layout, digest), 'utf8'));
}

function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

function blob(layout: string, digest: string): string {
  return join(layout, 'blobs', digest.replace(':', '/'));
}
