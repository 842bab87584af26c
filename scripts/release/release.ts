import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** What is released, and where its files go. */
export interface Release {
  /** `2026.11.0` */
  readonly version: string;
  /** The time of the released commit, in seconds: what is made carries no other time. */
  readonly epoch: number;
  /** The folder that holds the release. */
  readonly folder: string;
  /** A folder for what is made on the way; removed at the end. */
  readonly work: string;
  /** The file of a private key (PEM) that signs the checksums; undefined: nothing is signed. */
  readonly key: string | undefined;
  /** Whether images are made, which takes a Docker daemon and minutes. */
  readonly images: boolean;
}

/** An empty folder for what is made on the way. */
export function workFolder({ work }: Release, name: string): string {
  const folder = join(work, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
