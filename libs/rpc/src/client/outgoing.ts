import type { OutgoingContext } from '../call-context.ts';

export type Entries = readonly (readonly [string, string | Buffer])[];

export interface Outgoing {
  readonly path: string;
  readonly metadata: Entries;
  readonly context: OutgoingContext;
  /** Called with each metadata entry of the response. */
  readonly told?: Told | undefined;
}

export type Told = (key: string, value: string) => void;
