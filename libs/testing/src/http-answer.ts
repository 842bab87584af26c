import { listenerPrefix } from '@platform/surface';

/** A name and its value as they were on the wire, in order, repeated names included. */
export type HeaderLine = readonly [name: string, value: string];

/** An HTTP answer, whole. */
export interface HttpAnswer {
  readonly status: number;
  /** As they came, in order. */
  readonly headers: readonly HeaderLine[];
  readonly body: Buffer;
  /** The body as UTF-8; throws a TypeError when it is not. */
  readonly text: string;
  /** The value of a header, ignoring case; undefined when absent, an Error when there are several. */
  header(name: string): string | undefined;
  /** All values of a header. */
  headerValues(name: string): string[];
  /** The body as JSON. `Body` is what the caller expects, unchecked. */
  json<Body = unknown>(): Body;
}

export function httpAnswer(status: number, headers: readonly HeaderLine[], body: Buffer): HttpAnswer {
  const headerValues = (name: string): string[] =>
    headers.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
  return {
    status,
    headers,
    body,
    get text() {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    },
    header(name) {
      const values = headerValues(name);
      if (values.length > 1) {
        throw new Error(`the answer has ${values.length} headers ${name}`);
      }
      return values[0];
    },
    headerValues,
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
