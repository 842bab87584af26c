import { Fault, type Violation } from '@platform/faults';
import type { AuthorizationServiceService } from '@platform/proto/authz/v1/authorization';
import type { Handler } from '@platform/rpc';
import {
  askableTypes, type IdentifierFlaw, type ObjectIdentifier, readIdentifier,
} from '../domain/object-identifier.ts';
import { relationsOfObjects, type RelationsOfObjects } from '../relations-of-objects.ts';

/** Maximum number of objects in one request (open-points 1.9). */
const most = 1_000;

/**
 * Returns the `can_*` relations that the caller holds on each object of the request (spec §4.1). If the relations on
 * any object cannot be determined, the request fails (open-points 2.5).
 */
export function listAllowedPermissions(
  sources: RelationsOfObjects,
): Handler<typeof AuthorizationServiceService.listAllowedPermissions> {
  return async ({ objects }, context) => {
    if (objects.length > most) {
      throw new Fault('TOO_MANY_ITEMS', `a request may name at most ${most} objects, not ${objects.length}`);
    }
    const asked: ObjectIdentifier[] = [];
    const flaws: { index: number; flaw: IdentifierFlaw }[] = [];
    for (const [index, { objectType = '', objectId = 0 }] of objects.entries()) {
      const object = readIdentifier(objectType, objectId, context.caller.id);
      if (typeof object === 'string') flaws.push({ index, flaw: object });
      else asked.push(object);
    }
    const [first] = flaws;
    if (first !== undefined) throw flawed(first.flaw, flaws);
    const allowed = await relationsOfObjects(sources, asked, context);
    return {
      objects: asked.map(({ type, id }, index) => (
        { objectType: type, objectId: id, allowedPermissions: allowed[index]! })),
    };
  };
}

/** Returns a fault with the reason of the first invalid element. The fault names all invalid elements. */
function flawed(first: IdentifierFlaw, flaws: readonly { index: number; flaw: IdentifierFlaw }[]): Fault {
  const violations = flaws.map(({ index, flaw }): Violation => (flaw === 'unknown type'
    ? { path: `objects[${index}].objectType`, message: `must be one of ${askableTypes.join(', ')}` }
    : { path: `objects[${index}].objectID`, message: flaw === 'impossible id' ? 'is below 1' : 'is not the caller' }));
  const reason = first === 'unknown type' ? 'INVALID_OBJECT_TYPE' : 'INVALID_VALUE';
  return new Fault(reason, 'some objects of the request are invalid', { violations });
}
