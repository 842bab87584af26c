import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A reference to a blob of a layout. */
interface Descriptor {
  digest: string;
  size: number;
  readonly annotations?: Readonly<Record<string, string>>;
}
interface Manifest {
  readonly config: Descriptor;
}
interface Configuration {
  created?: string;
  readonly history?: { created?: string }[];
}

/**
 * Sets one time in all images of an OCI layout: Docker writes the time of each build into their configurations, which
 * is the only difference between two builds of a commit. @returns digest by name of the image
 */
export function settleTimes(layout: string, epoch: number): Readonly<Record<string, string>> {
  const created = new Date(epoch * 1000).toISOString();
  const file = join(layout, 'index.json');
  const index = JSON.parse(readFileSync(file, 'utf8')) as { readonly manifests: Descriptor[] };
  const before = new Set<string>();
  const after = new Set<string>();
  const digests = index.manifests.map((descriptor) => {
    before.add(descriptor.digest);
    const manifest = read(layout, descriptor) as Manifest;
    before.add(manifest.config.digest);
    const configuration = read(layout, manifest.config) as Configuration;
    configuration.created = created;
    for (const step of configuration.history ?? []) step.created = created;
    replace(layout, manifest.config, configuration);
    replace(layout, descriptor, manifest);
    after.add(manifest.config.digest).add(descriptor.digest);
    return [descriptor.annotations!['org.opencontainers.image.ref.name']!, descriptor.digest];
  });
  writeFileSync(file, JSON.stringify(index));
  // Last, because images may share a configuration.
  for (const digest of before.difference(after)) rmSync(blob(layout, digest));
  return Object.fromEntries(digests) as Record<string, string>;
}

function read(layout: string, { digest }: Descriptor): unknown {
  return JSON.parse(readFileSync(blob(layout, digest), 'utf8'));
}

function replace(layout: string, descriptor: Descriptor, value: unknown): void {
  const text = JSON.stringify(value);
  descriptor.digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  descriptor.size = Buffer.byteLength(text);
  writeFileSync(blob(layout, descriptor.digest), text);
}

function blob(layout: string, digest: string): string {
  return join(layout, 'blobs', digest.replace(':', '/'));
}
