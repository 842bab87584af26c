import type { IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';

/** Standing for the guards of the other services (authorization.md R1). */
export function getStanding({ standing }: Parts): Handler<typeof IdentityServiceService.getStanding> {
  return standing;
}
