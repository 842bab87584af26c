import type { Header, Schema } from './document-types.ts';

const text: Schema = { type: 'string' };

/** Response headers, by name. */
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
      'Links to the pages `next`, `last`, `first` and `prev` (RFC 8288). The last page has no `next` and no `last`. '
      + 'The first page has no `first` and no `prev`. A request without page number and page size gets only `next`. '
      + '`next` begins after the last row of this page, even if rows are created or deleted in the meantime. '
      + '`last`, `first` and `prev` select a page by its number, so such changes can shift the rows of the page. '
      + 'A deprecated route may have a link to its replacement: `successor-version`.',
    schema: text,
  },
  'Idempotent-Replayed': {
    description: '`true` if this is the response to an earlier request with the same `Idempotency-Key`, else absent.',
    schema: text,
  },
  Location: { description: 'URL to which the response redirects.', required: true, schema: text },
  ETag: {
    description:
      'Identifies this state of the object. Send it in `If-None-Match` to get 304 if the object is unchanged. '
      + 'Some operations accept it in `If-Match`. They refuse the request if the object has changed since then.',
    required: true,
    schema: text,
  },
  'Last-Modified': { description: 'When the content last changed. May be absent.', schema: text },
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
      'How many requests the limit still permits (`r`), and seconds until it permits more (`t`). '
      + 'Example: `"account";r=0;t=1`.',
    required: true,
    schema: text,
  },
  'RateLimit-Policy': {
    description: 'The limit that was reached: `q` requests in `w` seconds. Example: `"account";q=1000;w=10`.',
    required: true,
    schema: text,
  },
};
