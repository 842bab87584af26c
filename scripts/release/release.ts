import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** What to release, and how. */
export interface Release {
  /** Version without a prefix, such as `2026.11.0`. */
  readonly version: string;
  /** The time of the released commit, in Unix seconds. */
  readonly epoch: number;
  /** The folder of the release. */
  readonly folder: string;
  /** A folder for intermediate files; removed at the end. */
  readonly work: string;
  /** The file of a private key (PEM) that signs the checksums; undefined: no signature. */
  readonly key: string | undefined;
  /** What this machine lacks to make images. Empty: images are made, which takes minutes. */
  readonly missing: readonly string[];
  /** What this machine lacks to make images for other architectures. Not empty: these images are not made. */
  readonly missingForOthers: readonly string[];
}

/** Creates a folder for intermediate files, if it is missing. Returns its path. */
export function workFolder({ work }: Release, name: string): string {
  const folder = join(work, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
