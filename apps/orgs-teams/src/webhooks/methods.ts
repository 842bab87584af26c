import { Fault } from '@platform/faults';
import type { SiteWebhookServiceService, WebhookServiceService } from '@platform/proto/orgs/v1/webhook';
import type { Handlers, OrganizationContext } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { deliveriesOf, resendOf } from './deliveries.ts';
import { eventKinds } from '../events/kinds.ts';
import { createFor, deleteOf, listOf, type RefuseKinds, updateOf } from './manage.ts';

/** `/orgs/{orgname}/webhooks` (open-points 18.10). */
export function webhooks(parts: Parts): Handlers<typeof WebhookServiceService> {
  return {
    listWebhooks: async (request, context) => listOf(parts, context.account.id, request, context),
    createWebhook: async (request, context) =>
      createFor(parts, context.account.id, request, context, refuseUnreadable(parts, context)),
    updateWebhook: async (request, context) =>
      updateOf(parts, context.account.id, request, context, refuseUnreadable(parts, context)),
    deleteWebhook: async (request, context) => deleteOf(parts, context.account.id, request, context),
    listWebhookDeliveries: async (request, context) => deliveriesOf(parts, context.account.id, request, context),
    resendWebhookDelivery: async (request, context) => resendOf(parts, context.account.id, request, context),
  };
}

/** `/admin/webhooks`: site admins read everything. */
export function siteWebhooks(parts: Parts): Handlers<typeof SiteWebhookServiceService> {
  return {
    listSiteWebhooks: async (request, context) => listOf(parts, null, request, context),
    createSiteWebhook: async (request, context) => createFor(parts, null, request, context, refuseNone),
    updateSiteWebhook: async (request, context) => updateOf(parts, null, request, context, refuseNone),
    deleteSiteWebhook: async (request, context) => deleteOf(parts, null, request, context),
    listSiteWebhookDeliveries: async (request, context) => deliveriesOf(parts, null, request, context),
    resendSiteWebhookDelivery: async (request, context) => resendOf(parts, null, request, context),
  };
}

const refuseNone: RefuseKinds = () => Promise.resolve();

/** Each kind of event demands the relation that reading its object demands. @throws Fault FORBIDDEN */
function refuseUnreadable({ guard }: Parts, context: OrganizationContext): RefuseKinds {
  return async (kinds) => {
    for (const kind of kinds) {
      const { objectClass, relation } = eventKinds[kind]!.demands;
      const held = await guard.relationsAsAdmitted(context, objectClass);
      if (held !== 'all' && !held.has(relation)) {
        throw new Fault('FORBIDDEN', `events ${kind} need ${relation} on ${objectClass}`, { metadata: { relation } });
      }
    }
  };
}
