import type { Limits } from '@platform/http';
import type { CallersMemory } from '@platform/limits';
import type { Fault } from '@platform/faults';
import type { Turns } from '../turns.ts';
import type { FormDigest } from './form-digest.ts';

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
  /** Source of the request, as `sourceOf` returns it. */
  readonly source: string;
  readonly turns: Turns;
  /** Sends a file to the service. Undefined without uploads, or if the request will be refused anyway. */
  readonly upload: Upload | undefined;
  readonly digest: FormDigest | undefined;
}

export interface TakenForm {
  /** Fault that is sent to the service, so that checks happen in the right order. */
  readonly fault: Fault | undefined;
  /** Fault that is answered at once, for example after a refused upload, a slow body or full memory. */
  readonly answerNow: Fault | undefined;
  /** Whether reading stopped before the end of the form. */
  readonly isCut: boolean;
  /** Bytes that count as memory of the source. The caller must release them with `memory.give`. */
  readonly held: number;
}
