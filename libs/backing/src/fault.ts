/** Why a backing server or the state folder cannot be used. */
export type BackingReason =
  /** An address in the environment is malformed, or a secret for it is missing, invalid or unreadable. */
  | 'ADDRESS_INVALID'
  /** A binary that a setting names is not suitable. */
  | 'BINARY_UNFIT'
  /** There is no address, no suitable binary, and no way to create the pinned build. */
  | 'SERVER_MISSING'
  | 'BUILD_FAILED'
  | 'STATE_UNUSABLE'
  /** The server could not be prepared or started, or it ended before it answered. */
  | 'START_FAILED'
  | 'PORT_TAKEN'
  | 'NOT_READY';

/** A failure that the operator should know about: what happened and why (`message`), and what to do (`cure`). */
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
