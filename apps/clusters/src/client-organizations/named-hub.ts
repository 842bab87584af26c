import type { RemoveClusterParams } from '@platform/proto/clusters/v1/client_organization';
import type { OutgoingContext } from '@platform/rpc';
import { invalidValue, uuidProblem } from '@platform/values';
import type { Parts } from '../parts.ts';
import { findClusterNamed } from '../registry/store.ts';
import type { ClientRow } from './store.ts';

/**
 * Refuses hub fields that do not all name the hub of the client organization (open-points 4.4). Does not ask the hub.
 * @throws Fault INVALID_VALUE
 */
export async function refuseAnotherHub(
  { accounts, database }: Parts, client: ClientRow, given: RemoveClusterParams, context: OutgoingContext,
): Promise<void> {
  const refuse = (path: string, message: string) => invalidValue([{ path, message }]);
  const { hubClusterOwnerName: ownerName = '', hubClusterName: name = '', hubClusterUid: uid = '' } = given;
  const problem = uuidProblem(uid);
  if (problem !== undefined) throw refuse('hubClusterUID', problem);
  const owner = await accounts.byName(ownerName, context);
  if (owner?.id !== client.hub.ownerId) throw refuse('hubClusterOwnerName', 'is not the owner of the hub');
  if (uid.toLowerCase() !== client.hub.uid) throw refuse('hubClusterUID', 'is not the UID of the hub');
  const hub = await findClusterNamed(database, owner.id, name, context.deadline);
  if (hub?.uid !== client.hub.uid) throw refuse('hubClusterName', 'is not the name of the hub');
}
