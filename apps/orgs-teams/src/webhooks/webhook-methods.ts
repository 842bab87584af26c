import { Fault } from '@platform/faults';
import type { SiteWebhookServiceService, WebhookServiceService } from '@platform/proto/orgs/v1/webhook';
import { type CallerContext, type Handlers, missingScope, type OrganizationContext } from '@platform/rpc';
import { coversScope } from '@platform/surface';
import type { Parts } from '../parts.ts';
import { eventKinds } from '../events/kinds.ts';
import { deliveriesOf, resendOf } from './deliveries.ts';
import { createFor, deleteOf, listOf, type RefuseKinds, updateOf } from './manage.ts';

/** The methods of the routes `/orgs/{orgname}/webhooks` and below (open-points 18.10). */
export function webhookMethods(parts: Parts): Handlers<typeof WebhookServiceService> {
  return {
    listWebhooks: (request, context) => listOf(parts, context.account.id, request, context),
    createWebhook: (request, context) =>
      createFor(parts, context.account.id, request, context, refuseUnreadable(parts, context)),
    updateWebhook: (request, context) =>
      updateOf(parts, context.account.id, request, context, refuseUnreadable(parts, context)),
    deleteWebhook: (request, context) => deleteOf(parts, context.account.id, request, context),
    listWebhookDeliveries: (request, context) => deliveriesOf(parts, context.account.id, request, context),
    resendWebhookDelivery: (request, context) => resendOf(parts, context.account.id, request, context),
  };
}

/**
 * The methods of the routes `/admin/webhooks` and below. The kinds of events are checked only against the scopes of the
 * token, because site admins hold every relation.
 */
export function siteWebhookMethods(parts: Parts): Handlers<typeof SiteWebhookServiceService> {
  return {
    listSiteWebhooks: (request, context) => listOf(parts, null, request, context),
    createSiteWebhook: (request, context) => createFor(parts, null, request, context, refuseMissingScopes(context)),
    updateSiteWebhook: (request, context) => updateOf(parts, null, request, context, refuseMissingScopes(context)),
    deleteSiteWebhook: (request, context) => deleteOf(parts, null, request, context),
    listSiteWebhookDeliveries: (request, context) => deliveriesOf(parts, null, request, context),
    resendSiteWebhookDelivery: (request, context) => resendOf(parts, null, request, context),
  };
}

/** Refuses kinds of events if the token lacks a scope that is needed to read their objects. */
function refuseMissingScopes({ caller }: CallerContext): RefuseKinds {
  return async (kinds) => {
    const missing = kinds.find((kind) => !coversScope(caller.scopes, eventKinds[kind]!.scope));
    if (missing !== undefined) throw missingScope(eventKinds[missing]!.scope, `events ${missing} require this scope`);
  };
}

/**
 * Refuses kinds of events if the caller lacks a scope or relation to read their objects. Also refuses kinds that only
 * endpoints of the site get.
 */
function refuseUnreadable({ guard }: Parts, context: OrganizationContext & CallerContext): RefuseKinds {
  return async (kinds) => {
    await refuseMissingScopes(context)(kinds);
    for (const kind of kinds) {
      const { demands } = eventKinds[kind]!;
      if (demands === 'site') throw new Fault('FORBIDDEN', `only webhooks of the site can get events ${kind}`);
      const { objectClass, relation } = demands;
      const held = await guard.relationsAsAdmitted(context, objectClass);
      if (held !== 'all' && !held.has(relation)) {
        throw new Fault('FORBIDDEN', `events ${kind} need ${relation} on ${objectClass}`, { metadata: { relation } });
      }
    }
  };
}
