import { Fault } from '@platform/faults';
import type { AuthorizationServiceService, GetAllowedPermissionsRequest } from '@platform/proto/authz/v1/authorization';
import type { Handler } from '@platform/rpc';
import { askableTypes, type IdentifierFlaw, readIdentifier } from '../domain/object-identifier.ts';
import { relationsOfObjects, type RelationsOfObjects } from '../relations-of-objects.ts';

/** Returns the `can_*` relations that the caller holds on one object (spec §4.1, open-points 2.5). */
export function getAllowedPermissions(
  sources: RelationsOfObjects,
): Handler<typeof AuthorizationServiceService.getAllowedPermissions> {
  return async (request, context) => {
    const { objectType, objectId } = request;
    const object = readIdentifier(objectType, objectId, context.caller.id);
    if (typeof object === 'string') throw flawed(object, request);
    const [allowedPermissions] = await relationsOfObjects(sources, [object], context);
    return { objectType, objectId, allowedPermissions: allowedPermissions! };
  };
}

function flawed(flaw: IdentifierFlaw, { objectType, objectId }: GetAllowedPermissionsRequest): Fault {
  switch (flaw) {
    case 'unknown type':
      return new Fault(
        'INVALID_OBJECT_TYPE', `the object type must be one of ${askableTypes.join(', ')}, not ${objectType}`,
      );
    case 'impossible id':
      return new Fault('INVALID_PARAMETER', `the object id must be between 1 and 2^53 - 1, not ${objectId}`);
    case 'not the caller':
      return new Fault('INVALID_PARAMETER', 'for the object type user, the object id must be the id of the caller');
  }
}
