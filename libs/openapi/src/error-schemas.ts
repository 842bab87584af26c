import { listenerPrefix, type Method } from '@platform/surface';
import type { Schema } from './document-types.ts';
import { isGated } from './refusals.ts';

/** The usual body of a refusal (open-points 1.6). */
const errorSchema: Schema = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'For people; may change.' },
    url: { type: 'string', description: 'Address of the API reference.' },
    code: { type: 'string', description: 'For programs; stable.' },
    requestId: { type: 'string', description: 'Identifies the request in the logs.' },
    errors: {
      type: 'array',
      description: 'The problems of the request, if they are known.',
      items: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'JSON path in the body, or name of a parameter.' },
          message: { type: 'string' },
        },
        required: ['path', 'message'],
      },
    },
    origErr: { type: 'object', description: 'The error of a marketplace that refused the request.' },
  },
  required: ['message', 'url', 'code', 'requestId'],
  description: 'A refusal.',
};

const { message, code, requestId } = errorSchema.properties!;

/** Schemas of the bodies of refusals, by the name of the component in the OpenAPI document. */
export const errorSchemas: Readonly<Record<string, Schema>> = {
  ApiError: errorSchema,
  /** The body of refusals by the marketplace listener (spec §2.8 ApiError, open-points 1.6). */
  ListenerError: {
    type: 'object',
    properties: { message: message!, code: code!, requestId: requestId! },
    required: ['message', 'code', 'requestId'],
    description: 'A refusal of an operation below `/marketplace/`.',
  },
  /** The body of a 404 from a route that some deployments do not register. */
  UnregisteredError: {
    ...errorSchema, required: ['message'],
    description: 'A refusal. If this deployment does not have the route, the body has only a `message`.',
  },
};

export function errorOf({ http }: Method): string {
  return http?.template.startsWith(listenerPrefix) ? 'ListenerError' : 'ApiError';
}

export function errorsOf(method: Method): string[] {
  return [errorOf(method), ...(isGated(method) ? ['UnregisteredError'] : [])];
}
