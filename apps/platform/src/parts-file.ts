import { join } from 'node:path';
import { areTexts, readKept, writePrivately } from './private-file.ts';

/** State of a part. `waiting`: the part was not started yet. `external`: the launcher does not run the part. */
export type PartState = 'external' | 'waiting' | 'starting' | 'running' | 'restarting' | 'stopping' | 'stopped';

/** Status of a part of the platform. A part is a service or a server. A server may be external. */
export interface PartStatus {
  readonly name: string;
  readonly state: PartState;
  /** Version of a server that the launcher runs. */
  readonly version?: string | undefined;
  readonly pid?: number | undefined;
  readonly restarts: number;
  /** When the part entered this state, RFC3339. */
  readonly since: string;
  /** How the process last ended unexpectedly, e.g. `SIGKILL` or `code 1`. */
  readonly lastExit?: string | undefined;
  /** For services: `host:port` of the server that answers `/readyz`. */
  readonly admin?: string | undefined;
}

/** Content of `parts.json` in the state folder. */
export interface PartsFile {
  readonly launcher: { readonly pid: number; readonly startedAt: string };
  readonly parts: readonly PartStatus[];
}

export async function writePartsFile(home: string, content: PartsFile): Promise<void> {
  await writePrivately(partsFilePath(home), `${JSON.stringify(content, undefined, 2)}\n`);
}

/**
 * Returns the content of `parts.json`; undefined if there is no file.
 * @throws CommandFault if the file cannot be read or is damaged
 */
export async function readPartsFile(home: string): Promise<PartsFile | undefined> {
  return readKept(partsFilePath(home), isPartsFile);
}

function isPartsFile(content: unknown): content is PartsFile {
  const parts: unknown = (content as Partial<PartsFile> | null | undefined)?.parts;
  return Array.isArray(parts) && parts.length > 0 && parts.every(isPart);
}

function isPart(value: unknown): value is PartStatus {
  const part = value as Partial<PartStatus> | null;
  return areTexts(part?.name, part?.state, part?.since) && typeof part?.restarts === 'number';
}

export function partsFilePath(home: string): string {
  return join(home, 'parts.json');
}
