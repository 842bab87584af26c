import type { Limits } from '@platform/http';
import type { CallersMemory } from '@platform/limits';
import type { Fault } from '@platform/faults';
import type { Turns } from '../turns.ts';
import type { FormDigest } from './form-digest.ts';

/** A file of a form that is read as it arrives. */
export interface ArrivingFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: AsyncIterable<Buffer>;
}

/** Passes a file on. @throws Fault of the service, and any error from reading the content */
export type Upload = (file: ArrivingFile) => Promise<{ readonly upload: string; readonly size: number }>;

export interface FormOptions {
  readonly limits: Limits;
  readonly memory: CallersMemory;
  /** Source of the request, in the notation of limits. */
  readonly source: string;
  /** Schedules the parsing of large texts. */
  readonly turns: Turns;
  /** Undefined if the request will be refused anyway: its files are then skipped. */
  readonly upload: Upload | undefined;
  /** Hashes the parts; undefined if the hash of the form is not needed. */
  readonly digest: FormDigest | undefined;
}

/** The result of reading a form. */
export interface TakenForm {
  /** The fault of an invalid form. */
  readonly fault: Fault | undefined;
  /** Fault for answering at once: the service refused an upload, the form was too slow, or memory is full. */
  readonly answerNow: Fault | undefined;
  /** Whether reading stopped before the end of the form. */
  readonly isCut: boolean;
  /** Bytes counted in memory, which the caller must give back. */
  readonly held: number;
}
