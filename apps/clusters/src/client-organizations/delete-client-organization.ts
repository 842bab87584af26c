import { notFound } from '@platform/faults';
import type { ClientOrganizationServiceService } from '@platform/proto/clusters/v1/client_organization';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { closeAccount, cutOffMs, finishDeletion } from './advance.ts';
import { refuseGatewayInUse } from './gateways.ts';
import { findClient, findClientOf, lockClient, setClosing } from './store.ts';
import { advanceClient } from './task.ts';

/** DELETE /user/client/delete/{id} (spec §4.2, open-points 4.3). The deletion is accepted without asking the hub. */
export function deleteClientOrganization(
  parts: Parts,
): Handler<typeof ClientOrganizationServiceService.deleteClientOrganization> {
  const { database, write } = parts;
  return async ({ id: organizationId }, context) => {
    const id = await findClientOf(database, organizationId, context.deadline);
    if (id === undefined) throw clientNotFound();
    await write(context, [], async (work) => {
      const client = await lockClient(work, id);
      if (client === undefined || client.state === 'deleted') throw clientNotFound();
      if (client.state !== 'active') return;
      await refuseGatewayInUse(work, id);
      await setClosing(work, id, true);
      work.audit({
        action: 'client_organization.delete', object: `client_organization:${id}`, organizationId,
        details: { name: client.name },
      });
      work.effect(advanceClient({ id }, { key: `close ${id}`, afterMs: cutOffMs }));
    });
    let client = await findClient(database, id, context.deadline);
    if (client?.state === 'closing') await closeAccount(parts, client, context);
    client = await findClient(database, id, context.deadline);
    if (client?.state !== 'deleting') return {};
    // The deletion is accepted, so the job retries each step that fails now.
    await finishDeletion(parts, client, context).catch((error: unknown) => {
      context.log.warn({ error, id, organizationId }, 'cannot delete a client organization yet; a job retries');
    });
    return {};
  };
}

export function clientNotFound() {
  return notFound('client organization not found');
}
