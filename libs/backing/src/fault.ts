/** Why a backing server could not be found, built, started or stopped. */
export type BackingReason =
  /** An address in the environment is malformed, or a setting that it requires is missing. */
  | 'ADDRESS_INVALID'
  /** A binary that a setting names is not suitable. */
  | 'BINARY_UNFIT'
  /** There is no address, no suitable binary, and no way to make the pinned build. */
  | 'SERVER_MISSING'
  | 'BUILD_FAILED'
  | 'STATE_UNUSABLE'
  /** The server could not be started, or it ended before it answered. */
  | 'START_FAILED'
  | 'PORT_TAKEN'
  | 'NOT_READY';

/** A failure that the operator should know: what happened and why (`message`), and what to do (`cure`). */
export class BackingFault extends Error {
  readonly reason: BackingReason;
  readonly cure: string;

  constructor(reason: BackingReason, message: string, cure: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BackingFault';
    this.reason = reason;
    this.cure = cure;
  }
}
