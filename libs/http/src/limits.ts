/** Limits of sizes and times (open-points 1.9). {@link usualLimits} has the defaults; tests set other values. */
export interface Limits {
  /** Bytes of a JSON body, and of a multipart form as a whole. */
  readonly body: number;
  readonly form: number;
  /** Bytes of the request target, and of the header block without it. */
  readonly url: number;
  readonly headers: number;
  /** Milliseconds for a body to arrive, and for a request as a whole. */
  readonly bodyMs: number;
  readonly requestMs: number;
  /**
   * Maximum bytes of all bodies together that have arrived and are not yet passed on. One source (an IPv4 address or an
   * IPv6 network) may use a quarter of them.
   */
  readonly bodiesInMemory: number;
  /** Maximum bytes of all answers together that clients have not read yet. One source may use a quarter of them. */
  readonly unreadAnswers: number;
}

const mebibyte = 1024 * 1024;

export const usualLimits: Limits = {
  body: 2 * mebibyte,
  form: 12 * mebibyte,
  url: 8 * 1024,
  headers: 16 * 1024,
  bodyMs: 30_000,
  requestMs: 30_000,
  bodiesInMemory: 256 * mebibyte,
  unreadAnswers: 256 * mebibyte,
};
