import { AuthorizationServiceService } from '@platform/proto/authz/v1/authorization';
import { DecisionServiceService } from '@platform/proto/authz/v1/decision';
import { catalogue } from '@platform/relations';
import { implement, type Implementation } from '@platform/rpc';
import type { askGrounds } from './decisions/ask-grounds.ts';
import { engineFault } from './decisions/engine-fault.ts';
import { getAllowedPermissions } from './decisions/get-allowed-permissions.ts';
import { listAllowedPermissions } from './decisions/list-allowed-permissions.ts';
import { readTuples } from './decisions/read-tuples.ts';
import { writeTuples } from './decisions/write-tuples.ts';
import type { Engine } from './engine/engine.ts';
import type { RelationsOfObjects } from './relations-of-objects.ts';

/** Permissions that custom roles may have (open-points 2.6): the same for every organization. */
const permissions = catalogue.map((entry) => ({ ...entry, associated: [...entry.associated] }));

interface Parts {
  readonly engine: Engine;
  readonly ask: ReturnType<typeof askGrounds>;
  readonly objects: RelationsOfObjects;
}

/** Every method of this service. */
export function methods({ engine, ask, objects }: Parts): readonly Implementation[] {
  return [
    implement(DecisionServiceService, {
      askGrounds: ask,
      readTuples: readTuples(engine),
      writeTuples: writeTuples(engine),
      getModel: (_request, { deadline }) => engine.established(deadline).catch((error: unknown) => {
        throw engineFault(error);
      }),
    }),
    implement(AuthorizationServiceService, {
      getAllowedPermissions: getAllowedPermissions(objects),
      listAllowedPermissions: listAllowedPermissions(objects),
      listAvailablePermissions: async () => ({ permissions }),
    }),
  ];
}
