import type { Header, Schema } from './document-types.ts';

const text: Schema = { type: 'string' };

/** Headers of answers, by the name of their component. */
export const headers: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description: 'Names the request in logs. The one of the request when it is valid, else a new one.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  },
  'X-Total-Count': {
    description: 'Length of the whole list.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  Link: {
    description:
      'Links to the pages `next`, `last`, `first` and `prev` (RFC 8288); absent when there is none. `next` begins '
      + 'after the last row of this page, also when rows are created or deleted meanwhile; the others count rows from '
      + 'the start.',
    schema: text,
  },
  'Idempotent-Replayed': {
    description: '`true` where the answer is that of an earlier request with the same `Idempotency-Key`; else absent.',
    schema: text,
  },
  Location: { description: 'The address of the answer.', required: true, schema: text },
  ETag: {
    description: 'Names this state of the answer. Send it back as If-None-Match, or as If-Match with a change of it.',
    required: true,
    schema: text,
  },
  'Last-Modified': { description: 'When the answer last changed. Absent when unknown.', schema: text },
  'Content-Disposition': { description: 'The answer is a download of this file name (RFC 6266).', schema: text },
  'Cache-Control': {
    description: 'How long the answer may be kept, and whether it must be validated before use.',
    required: true,
    schema: text,
  },
  'Set-Cookie': { description: 'Begins or ends a cookie that scripts cannot read.', schema: text },
  Deprecation: { description: 'Since when the route is deprecated (RFC 9745).', required: true, schema: text },
  Sunset: { description: 'When the route goes away (RFC 8594).', required: true, schema: text },
  'WWW-Authenticate': { description: 'Always `Bearer`.', required: true, schema: text },
  'Retry-After': {
    description: 'Seconds to wait before another try.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  Allow: { description: 'The verbs of the path, when it has others.', schema: text },
  RateLimit: {
    description:
      'The remaining requests of the limit that was reached, and the seconds until more: `"account";r=0;t=1`.',
    required: true,
    schema: text,
  },
  'RateLimit-Policy': {
    description: 'The limit that was reached, as requests and seconds: `"account";q=1000;w=10`.',
    required: true,
    schema: text,
  },
};
