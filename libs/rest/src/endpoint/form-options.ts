import type { Limits } from '@platform/http';
import type { CallersMemory } from '@platform/limits';
import type { Fault } from '@platform/faults';
import type { Turns } from '../turns.ts';
import type { FormDigest } from './form-digest.ts';

/** A file of a form that is read while it arrives. */
export interface ArrivingFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: AsyncIterable<Buffer>;
}

/** Sends a file on. @throws Fault of the service, and what reading the content throws */
export type Upload = (file: ArrivingFile) => Promise<{ readonly upload: string; readonly size: number }>;

export interface FormOptions {
  readonly limits: Limits;
  readonly memory: CallersMemory;
  /** Where the request comes from, as limits count it. */
  readonly source: string;
  /** For reading what is large. */
  readonly turns: Turns;
  /** Undefined when the request is refused anyway: its files are skipped. */
  readonly upload: Upload | undefined;
  /** Takes the parts; undefined where nobody asks for the hash of the form. */
  readonly digest: FormDigest | undefined;
}

/** The result of reading a form. */
export interface TakenForm {
  /** What is wrong with the form. */
  readonly fault: Fault | undefined;
  /** Answers the request at once: the service refused an upload, the form was too slow, or memory is full. */
  readonly answerNow: Fault | undefined;
  /** The form was not read to its end. */
  readonly isCut: boolean;
  /** Bytes counted in memory, to be given back. */
  readonly held: number;
}
