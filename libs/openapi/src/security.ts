import type { AccessRule } from '@platform/surface';
import type { Operation } from './document-types.ts';

/** The four ways to send a token (open-points 1.3). */
export const securitySchemes: Record<string, Record<string, string>> = {
  bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer <token>`' },
  token: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Authorization: token <token>`' },
  tokenQuery: {
    type: 'apiKey', in: 'query', name: 'token', description: 'The platform does not log this token. Prefer a header.',
  },
  accessTokenQuery: { type: 'apiKey', in: 'query', name: 'access_token', description: 'Same as `token`.' },
};

export const usualSecurity: NonNullable<Operation['security']> =
  Object.keys(securitySchemes).map((name) => ({ [name]: [] }));

/** Returns the `security` of an operation. Undefined if the document's default applies: {@link usualSecurity}. */
export function securityOf({ who }: AccessRule): Operation['security'] | undefined {
  if (who === 'anonymous') return [];
  if (who === 'public') return [{}, ...usualSecurity];
  return undefined;
}
