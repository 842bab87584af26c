import { AuthorizationServiceService } from '@platform/proto/authz/v1/authorization';
import { DecisionServiceService } from '@platform/proto/authz/v1/decision';
import { catalogue } from '@platform/relations';
import { implement, type Implementation } from '@platform/rpc';
import type { askGrounds } from './decisions/ask-grounds.ts';
import { throwFault } from './decisions/engine-fault.ts';
import { getAllowedPermissions } from './decisions/get-allowed-permissions.ts';
import { listAllowedPermissions } from './decisions/list-allowed-permissions.ts';
import { readTuples } from './decisions/read-tuples.ts';
import { writeTuples } from './decisions/write-tuples.ts';
import type { Engine } from './engine/engine.ts';
import type { RelationsOfObjects } from './relations-of-objects.ts';

/** Permissions that custom roles may have. They are the same for every organization (open-points 2.6). */
const permissions = catalogue.map((entry) => ({ ...entry, associated: [...entry.associated] }));

export function methods(
  engine: Engine, ask: ReturnType<typeof askGrounds>, objects: RelationsOfObjects,
): readonly Implementation[] {
  return [
    implement(DecisionServiceService, {
      askGrounds: ask,
      readTuples: readTuples(engine),
      writeTuples: writeTuples(engine),
      getModel: (_request, { deadline }) => engine.established(deadline).catch(throwFault),
    }),
    implement(AuthorizationServiceService, {
      getAllowedPermissions: getAllowedPermissions(objects),
      listAllowedPermissions: listAllowedPermissions(objects),
      listAvailablePermissions: async () => ({ permissions }),
    }),
  ];
}
