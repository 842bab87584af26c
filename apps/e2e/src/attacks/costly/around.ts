import { repeated } from './shape.ts';

/** A REST request without its body. */
export interface Head {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** URLs have up to 8 KiB, all headers up to 16 KiB (open-points 1.9). */
const [longestQuery, longestHeaders] = [7_000, 12_000];

const withQuery = (text: string) => ({ target, headers }: Head): Head =>
  ({ target: `${target}${target.includes('?') ? '&' : '?'}${text}`, headers });
const withHeaders = (more: Readonly<Record<string, string>>) => ({ target, headers }: Head): Head =>
  ({ target, headers: { ...headers, ...more } });
const many = (length: number): number[] => Array.from({ length }, (_, index) => index);
const manyHeaders = (count: number, value: string) =>
  Object.fromEntries(many(count).map((index) => [`x-a${index}`, value]));

/** Additions to the query or headers of a request; the first entry adds nothing. */
export const arounds: readonly ((head: Head) => Head)[] = [
  (head) => head,
  withQuery(many(800).map((index) => `q${index}=1`).join('&')),
  withQuery(repeated('q=1&', longestQuery)),
  withQuery(repeated('&', longestQuery)),
  withQuery(`q=${repeated('%41', longestQuery)}`),
  withQuery(`q=${repeated('%C3%A9', longestQuery)}`),
  withHeaders(manyHeaders(300, repeated('b', 16))),
  withHeaders({ 'x-a': repeated('b', longestHeaders) }),
  withHeaders({ 'x-forwarded-for': repeated('192.0.2.1, ', longestHeaders) }),
  withHeaders({ traceparent: repeated('0', longestHeaders) }),
  withHeaders({ authorization: `Bearer ${repeated('0', 512)}` }),
  withHeaders({ authorization: `Bearer ${repeated('0', longestHeaders)}` }),
  withHeaders({ authorization: repeated('Bearer ', longestHeaders) }),
  withHeaders({ 'content-type': `application/json${repeated(';a=b', longestHeaders)}` }),
  withHeaders({ 'content-type': `${repeated('a', longestHeaders)}/b+json` }),
  withHeaders({ 'content-encoding': 'gzip' }),
];

/** Metadata and flags that can accompany a message. */
export interface Metadata {
  readonly headers: Readonly<Record<string, string>>;
  /** The first byte of the message frame; 1 declares a compressed message. */
  readonly flag?: number;
}

/** Metadata and flags to try; the first entry adds nothing. */
export const metadata: readonly Metadata[] = [
  { headers: {} },
  ...['99999999H', '1n', '0S', '00000001H', '1', repeated('9', 1_000)].map((timeout) =>
    ({ headers: { 'grpc-timeout': timeout } })),
  { headers: manyHeaders(100, repeated('b', 40)) },
  { headers: manyHeaders(1_000, 'b') },
  { headers: { 'x-a': repeated('b', longestHeaders) } },
  { headers: { 'x-a-bin': repeated('QUFB', longestHeaders) } },
  { headers: { 'platform-body-fault-bin': repeated('QUFB', longestHeaders) } },
  { headers: { 'platform-service-credential': repeated('0', longestHeaders) } },
  { headers: { 'x-forwarded-for': repeated('192.0.2.1, ', longestHeaders) } },
  { headers: { traceparent: repeated('0', longestHeaders) } },
  { headers: { authorization: `Bearer ${repeated('0', longestHeaders)}` } },
  { headers: {}, flag: 1 },
  { headers: { 'grpc-encoding': 'gzip' }, flag: 1 },
  { headers: { 'grpc-encoding': 'gzip' } },
  { headers: {}, flag: 255 },
];
