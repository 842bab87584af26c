/** A server's executable, fit to run. */
export interface ServerBinary {
  readonly kind: 'binary';
  /** The folder of the executable; for PostgreSQL also of `initdb`. */
  readonly directory: string;
  readonly version: string;
  /** Found on the machine, or the pinned one (npm package or built by Go). */
  readonly origin: 'machine' | 'pinned';
}
