import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ProofResult } from '@platform/testing';

/** The saved progress of an interrupted proof; one file per name, seed and share. */
export interface ProofProgress {
  /** Returns the state that was saved last, or undefined if there is none. */
  load(): Promise<unknown>;
  /** Saves a state as JSON. Replaces the file atomically. */
  save(state: unknown): Promise<void>;
  /** Deletes the saved state, when the proof ends or starts from the beginning. */
  clear(): Promise<void>;
}

export function proofProgress(folder: string, name: string, seed: number, share: number): ProofProgress {
  const file = join(folder, `${name}-${seed}-${share}.json`);

  async function load(): Promise<unknown> {
    try {
      return JSON.parse(await readFile(file, 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        return undefined;
      }
      throw error;
    }
  }

  async function save(state: unknown): Promise<void> {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(`${file}.next`, JSON.stringify(state));
    await rename(`${file}.next`, file);
  }

  return { load, save, clear: () => rm(file, { force: true }) };
}

/** The final line about a result, and the exit code. */
export interface Verdict {
  readonly says: string;
  readonly exitCode: number;
}

export function verdictOf({ holds }: Pick<ProofResult, 'holds'>): Verdict {
  if (holds === undefined) return { says: 'not run, or only in part: this machine lacks something', exitCode: 3 };
  return holds ? { says: 'holds', exitCode: 0 } : { says: 'DOES NOT HOLD', exitCode: 1 };
}
