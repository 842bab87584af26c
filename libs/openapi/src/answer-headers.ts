import type { Header, Schema } from './document-types.ts';

const text: Schema = { type: 'string' };

/** Headers of answers, by component name. */
export const headers: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description: 'Id of the request in logs: the `X-Request-Id` of the request if it is valid, otherwise a new one.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  },
  'X-Total-Count': {
    description: 'Number of rows in the whole list.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  Link: {
    description:
      'Links to the pages `next`, `last`, `first` and `prev` (RFC 8288). Each link is absent if there is no such page. '
      + '`next` begins after the last row of this page, even if rows are created or deleted in the meantime. '
      + 'The other links count rows from the start of the list.',
    schema: text,
  },
  'Idempotent-Replayed': {
    description: '`true` if this is the response to an earlier request with the same `Idempotency-Key`, else absent.',
    schema: text,
  },
  Location: { description: 'URL of the created or requested resource.', required: true, schema: text },
  ETag: {
    description: 'Identifies this state of the object. Send it as If-None-Match to read, or as If-Match to change.',
    required: true,
    schema: text,
  },
  'Last-Modified': { description: 'When the content last changed; absent if unknown.', schema: text },
  'Content-Disposition': { description: 'The response is a download with this file name (RFC 6266).', schema: text },
  'Cache-Control': {
    description: 'How long the response may be cached, and whether it must be revalidated before use.',
    required: true,
    schema: text,
  },
  'Set-Cookie': { description: 'Sets or deletes a cookie that scripts cannot read.', schema: text },
  Deprecation: { description: 'When the route was deprecated (RFC 9745).', required: true, schema: text },
  Sunset: { description: 'When the route will be removed (RFC 8594).', required: true, schema: text },
  'WWW-Authenticate': { description: 'Always `Bearer`.', required: true, schema: text },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  Allow: { description: 'The methods that the path supports.', schema: text },
  RateLimit: {
    description:
      'How many requests the limit still permits, and seconds until it permits more: `"account";r=0;t=1`.',
    required: true,
    schema: text,
  },
  'RateLimit-Policy': {
    description: 'The limit that was reached, as requests and seconds: `"account";q=1000;w=10`.',
    required: true,
    schema: text,
  },
};
