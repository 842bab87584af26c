import { type Database, sql } from '@platform/postgres';
import { byId, type MakeList, rowsOf } from './changing-lists.ts';

/** Endpoints of an organization, or of the site. */
const webhooksOf = (database: Database, organizationId: number | null) => rowsOf(database, 'webhook', (ids) => sql`
  insert into webhook (id, organization_id, url, events, active) overriding system value
  select one, ${organizationId}::bigint, 'https://hooks.example.org/', '{role.deleted}', false
    from unnest(${ids}::bigint[]) one`);

/** Deliveries to a new endpoint of an organization, or of the site. */
async function deliveriesOf(database: Database, organizationId: number | null) {
  const { webhook } = await database.one(sql<{ webhook: number }>`
    insert into webhook (organization_id, url, events, active)
    values (${organizationId}::bigint, 'https://hooks.example.org/', '{role.deleted}', false)
    returning id as webhook`);
  const changes = rowsOf(database, 'webhook_delivery', (ids) => sql`
    insert into webhook_delivery (id, webhook_id, event_id, organization_id, kind, subject, data, state)
      overriding system value
    select one, ${webhook}::bigint, gen_random_uuid(), 1, 'role.deleted', 'role:5', '{}', 'delivered'
      from unnest(${ids}::bigint[]) one`);
  return { webhook, changes };
}

export const changingWebhooks: Readonly<Record<string, MakeList>> = {
  'controlplane.orgs.v1.WebhookService.ListWebhooks': async ({ database, organization, siteAdmin }) => {
    const { id, username } = await organization(siteAdmin);
    return byId(`/api/v1/orgs/${username}/webhooks`, webhooksOf(database, id));
  },
  'controlplane.orgs.v1.SiteWebhookService.ListSiteWebhooks': ({ database }) =>
    byId('/api/v1/admin/webhooks', webhooksOf(database, null)),
  'controlplane.orgs.v1.WebhookService.ListWebhookDeliveries': async ({ database, organization, siteAdmin }) => {
    const { id, username } = await organization(siteAdmin);
    const { webhook, changes } = await deliveriesOf(database, id);
    return byId(`/api/v1/orgs/${username}/webhooks/${webhook}/deliveries`, changes);
  },
  'controlplane.orgs.v1.SiteWebhookService.ListSiteWebhookDeliveries': async ({ database }) => {
    const { webhook, changes } = await deliveriesOf(database, null);
    return byId(`/api/v1/admin/webhooks/${webhook}/deliveries`, changes);
  },
};
