import type { AccessRule } from '@platform/surface';
import type { Operation } from './document-types.ts';

/** The four carriers of a token (open-points 1.3). */
export const securitySchemes: Record<string, Record<string, string>> = {
  bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer <token>`' },
  token: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Authorization: token <token>`' },
  tokenQuery: { type: 'apiKey', in: 'query', name: 'token', description: 'Never logged. Prefer a header.' },
  accessTokenQuery: { type: 'apiKey', in: 'query', name: 'access_token', description: 'Same as `token`.' },
};

const everyCarrier = Object.keys(securitySchemes).map((name) => ({ [name]: [] }));

/** The security of operations without their own. */
export const usualSecurity: Operation['security'] & object = everyCarrier;

/** The security of an operation; undefined where it is the usual one. */
export function securityOf({ who }: AccessRule): Operation['security'] | undefined {
  if (who === 'anonymous') return [];
  if (who === 'public') return [{}, ...everyCarrier];
  return undefined;
}
