/** Limits of sizes and times (open-points 1.9). {@link usualLimits} has the defaults; tests set other values. */
export interface Limits {
  /** Maximum bytes of a JSON body. */
  readonly body: number;
  /** Maximum bytes of a multipart form as a whole. */
  readonly form: number;
  /** Maximum bytes of the request target. */
  readonly url: number;
  /** Maximum bytes of the header block, without the request target. */
  readonly headers: number;
  readonly bodyMs: number;
  readonly requestMs: number;
  /** Maximum bytes of all bodies in memory. Each source (IPv4 address, IPv6 network) may use a quarter of this. */
  readonly bodiesInMemory: number;
  /**
   * Maximum bytes of all answers that clients have not read yet. Streamed answers do not count. Each source (IPv4
   * address, IPv6 network) may use a quarter of this.
   */
  readonly unreadAnswers: number;
}

const mebibyte = 1024 * 1024;

export const usualLimits: Limits = {
  body: 2 * mebibyte, form: 12 * mebibyte, url: 8 * 1024, headers: 16 * 1024,
  bodyMs: 30_000, requestMs: 30_000,
  bodiesInMemory: 256 * mebibyte, unreadAnswers: 256 * mebibyte,
};
