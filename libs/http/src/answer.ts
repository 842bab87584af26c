/** An HTTP answer before it is written. */
export interface Answer {
  readonly status: number;
  readonly headers: [name: string, value: string][];
  readonly body: string | Buffer;
}
