import { Fault } from '@platform/faults';
import type { IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { isOwnedType, readObjectOwners } from './object-owners.ts';

/** Returns the account of a token, and the requested accounts (authorization.md R1). */
export function getStanding({ standing, known }: Parts): Handler<typeof IdentityServiceService.getStanding> {
  return (request, context) => (request.mayBeKept === true ? known : standing)(request, context);
}

const mostIds = 1_000;

/** Returns the owners of objects of this service (authorization.md R2). */
export function resolveOwners({ database }: Parts): Handler<typeof IdentityServiceService.resolveOwners> {
  return async ({ type, ids }, { deadline }) => {
    if (!isOwnedType(type)) throw new Fault('INVALID_OBJECT_TYPE', `this service has no objects of the type ${type}`);
    if (ids.length > mostIds) throw new Fault('TOO_MANY_ITEMS', `at most ${mostIds} ids can be asked for at once`);
    const rows = await readObjectOwners(database, type, ids, deadline);
    return { owners: rows.map(({ teamId, ...row }) => ({ ...row, teamId: teamId ?? 0 })) };
  };
}
