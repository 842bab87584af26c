import { listenerPrefix } from '@platform/surface';

/** Name and value of a header as sent, in order, with repeated names. */
export type HeaderLine = readonly [name: string, value: string];

/** A complete HTTP answer. */
export interface HttpAnswer {
  readonly status: number;
  /** Headers as received, in order. */
  readonly headers: readonly HeaderLine[];
  readonly body: Buffer;
  /** The body as UTF-8; throws a TypeError if it is not valid UTF-8. */
  readonly text: string;
  /** The value of a header, ignoring case; undefined if absent. Throws an Error if there are several. */
  header(name: string): string | undefined;
  /** All values of a header, ignoring case. */
  headerValues(name: string): string[];
  /** The body as JSON. The caller's type `Body` is not checked. */
  json<Body = unknown>(): Body;
}

export function httpAnswer(status: number, headers: readonly HeaderLine[], body: Buffer): HttpAnswer {
  const headerValues = (name: string): string[] =>
    headers.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
  return {
    status, headers, body, headerValues,
    get text() {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    },
    header(name) {
      const values = headerValues(name);
      if (values.length > 1) throw new Error(`the answer has ${values.length} headers ${name}`);
      return values[0];
    },
    json() {
      return JSON.parse(this.text);
    },
  };
}

/** Whether the deployment lacks this route below `/marketplace/`: it answers the console page (open-points 18.9). */
export function isConsolePage(target: string, answer: HttpAnswer): boolean {
  return target.startsWith(listenerPrefix) && answer.status === 200
    && answer.header('content-type')?.startsWith('text/html') === true;
}
