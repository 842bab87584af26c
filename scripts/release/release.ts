import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The version to release, and the folders of its files. */
export interface Release {
  /** Version without a prefix, such as `2026.11.0`. */
  readonly version: string;
  /** The time of the released commit, in seconds; all files of the release have this time. */
  readonly epoch: number;
  /** The folder that holds the release. */
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

/** Makes a folder for intermediate files, if it is missing. Returns its path. */
export function workFolder({ work }: Release, name: string): string {
  const folder = join(work, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
