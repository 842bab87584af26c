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

/**
 * Sends a file to the service. Returns the handle and the size of the upload.
 * @throws Fault of the service, or the error with which reading the content failed
 */
export type Upload = (file: ArrivingFile) => Promise<{ readonly upload: string; readonly size: number }>;

export interface FormOptions {
  readonly limits: Limits;
  readonly memory: CallersMemory;
  /** The client's address or network, as `sourceOf` (@platform/limits) returns it. */
  readonly source: string;
  readonly turns: Turns;
  /** Undefined if the method has no uploads, or if the parameters or headers already have a fault. */
  readonly upload: Upload | undefined;
  readonly digest: FormDigest | undefined;
}

export interface TakenForm {
  /** Fault of the form. It is sent to the service, which checks access first (open-points 1.5). */
  readonly fault: Fault | undefined;
  /** Fault that the client gets without a call of the method, for example after a refused upload or a slow body. */
  readonly answerNow: Fault | undefined;
  /** Whether reading stopped before the end of the form. */
  readonly isCut: boolean;
  /** Bytes of the form that count as memory of the request's source. The caller must release them (`memory.give`). */
  readonly held: number;
}
