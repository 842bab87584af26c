import { Fault } from '@platform/faults';
import { pageOf } from '@platform/lists';
import type { AuditReport, SubscriptionServiceService } from '@platform/proto/marketplace/v1/subscription';
import type { Handlers } from '@platform/rpc';
import { removeArchives } from '../archive/store.ts';
import { insertAudit, readAudit } from '../audit/store.ts';
import type { Parts } from '../parts.ts';
import { toSubscription, withBillingDetails } from './convert.ts';
import { settleLater } from './jobs.ts';
import { readSubscription, readSubscriptions } from './report.ts';
import { settleContracts } from './settle-contracts.ts';
import { move } from './state.ts';
import { closeSubscription, lockSubscription } from './store.ts';

export function subscriptionMethods(parts: Parts): Handlers<typeof SubscriptionServiceService> {
  const { config, database, sealer, write } = parts;
  return {
    /** GET /dashboard/marketplaces/subscriptions. */
    listSubscriptions: async ({ page, perPage, after }, { deadline }) => {
      const part = pageOf({ page, limit: perPage, after }, config);
      const { items, total, next } = await readSubscriptions(database, part, deadline);
      return { subscriptions: items.map(toSubscription), total, next };
    },
    /** GET /dashboard/marketplaces/{marketplace}/{subscriptionId}. */
    getSubscription: async ({ marketplace, subscriptionId }, { deadline }) =>
      withBillingDetails(await readSubscription(database, marketplace, subscriptionId, deadline), sealer),
    /**
     * DELETE /dashboard/marketplaces/{marketplace}/{subscriptionId}. Ends the subscription, then revokes its contracts.
     * If the revocation fails, a job repeats it, because a second DELETE is refused (open-points 8.4).
     */
    revokeSubscription: async ({ marketplace, subscriptionId }, context) => {
      const { id } = await readSubscription(database, marketplace, subscriptionId, context.deadline);
      await write(context, [], async (work) => {
        const { state } = (await lockSubscription(work, id))!;
        const to = move(state, 'revoke');
        if (to === undefined) throw new Fault('NOT_REVOCABLE', `a subscription that is ${state} cannot be revoked`);
        await closeSubscription(work, id, to.to);
        await removeArchives(work, id);
        await insertAudit(work, id, {
          // The status becomes `success` when the contracts are revoked (settle-contracts.ts).
          operation: 'revoke', status: 'failure', data: { state, revokedBy: context.caller.login },
          description: `${context.caller.login} revoked the subscription; its contracts are not revoked yet.`,
        });
        work.effect(settleLater(id));
      });
      await settleContracts(parts, id, context);
      return {};
    },
    /** GET /dashboard/marketplaces/{marketplace}/{subscriptionId}/audit-logs. */
    getAuditLogs: async ({ marketplace, subscriptionId }, { deadline }) => {
      const { id } = await readSubscription(database, marketplace, subscriptionId, deadline);
      const auditReports: Record<string, AuditReport> = {};
      for (const { at, operation, ...event } of await readAudit(database, id, deadline)) {
        const { events } = (auditReports[at.toISOString().slice(0, 7)] ??= { events: [] });
        events.push({ ...event, marketplace, subscriptionId, operationType: operation, timestamp: at });
      }
      return { auditReports };
    },
  };
}
