import type {
  ListAvailablePermissionsRequest, ListAvailablePermissionsResponse,
} from '@platform/proto/authz/v1/authorization';
import { catalogue } from '@platform/relations';

const permissions = catalogue.map((entry) => ({ ...entry, associated: [...entry.associated] }));

/** Lists what custom roles may hold (open-points 2.6): the same for every organization. */
export async function listAvailablePermissions(
  _request: ListAvailablePermissionsRequest,
): Promise<ListAvailablePermissionsResponse> {
  return { permissions };
}
