import { Badge, Button, Stack, Title } from '@mantine/core';
import type { Operations, Webhook, WebhookDelivery } from '@platform/client';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useOrg } from '../api/acting.ts';
import { csvOf, platform } from '../api/client.ts';
import { Confirm, done, SecretDialog, useChange } from '../ui/act.tsx';
import { momentColumn, shortColumn } from '../ui/columns.tsx';
import { type Column, DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import type { Field } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Short } from '../ui/short.tsx';

const list = { org: 'listWebhooks', site: 'listSiteWebhooks' } as const;
const create = { org: 'createWebhook', site: 'createSiteWebhook' } as const;
const update = { org: 'updateWebhook', site: 'updateSiteWebhook' } as const;
const remove = { org: 'deleteWebhook', site: 'deleteSiteWebhook' } as const;
const log = { org: 'listWebhookDeliveries', site: 'listSiteWebhookDeliveries' } as const;
const resend = { org: 'resendWebhookDelivery', site: 'resendSiteWebhookDelivery' } as const;

type Kind = NonNullable<Operations['createSiteWebhook']['body']['events']>[number];

/** The kinds of events, and whether endpoints of an organization may receive them. */
const kinds: Readonly<Record<Kind, boolean>> = {
  'member.added': true, 'member.removed': true,
  'role.created': true, 'role.updated': true, 'role.deleted': true,
  'team.created': true, 'team.updated': true, 'team.deleted': true,
  'contract.created': true, 'contract.extended': true, 'contract.revoked': true, 'contract.ending': true,
  'quota.threshold_reached': true, 'license.issued': true, 'license.ending': true,
  'cluster.imported': true, 'cluster.removed': true, 'cluster.lost': true,
  'subscription.state_changed': false, 'usage.month_final': false,
};

const whyOff = {
  failing: '5 days of failures', gone: 'it answered 410',
  rights_lost: 'the last person who saved it lost the right to manage it or to read its events',
};
const stateOf = ({ active, disabledReason }: Webhook) =>
  active ? 'Active' : disabledReason === undefined ? 'Off' : `Off: ${whyOff[disabledReason]}`;

const columns: Column<Webhook>[] = [
  shortColumn('Address', ({ url }) => url, { width: 320 }),
  shortColumn('Events', ({ events }) => events.join(', ')),
  {
    title: 'State', value: stateOf,
    shown: (one) => <Badge variant="light" color={one.active ? 'green' : 'gray'} tt="none">{stateOf(one)}</Badge>,
  },
  momentColumn('Failing since', ({ failingSince }) => failingSince, { minor: true }),
];

const logColumns: Column<WebhookDelivery>[] = [
  { title: 'Event', value: ({ event }) => event },
  shortColumn('About', ({ subject }) => subject),
  { title: 'State', value: ({ state, reason }) => (reason === undefined ? state : `${state}: ${reason}`) },
  { title: 'Tries', value: ({ attempts }) => attempts, minor: true },
  { title: 'Answer', value: ({ status }) => status ?? '–' },
  { title: 'Took', value: ({ durationMs }) => (durationMs === undefined ? '–' : `${durationMs} ms`), minor: true },
  momentColumn('Sent', ({ sentAt }) => sentAt),
];

/** The webhook endpoints of an organization or of the whole platform. Lists the deliveries to a chosen endpoint. */
export function Webhooks() {
  const org = useOrg();
  const of = org === undefined ? 'site' : 'org';
  // The operations for the whole platform have no parameter `orgname`.
  const at = (org === undefined ? {} : { orgname: org }) as { orgname: string };
  const [asked, ask] = useState<'new' | { edit: Webhook } | { rotate: Webhook } | { remove: Webhook }>();
  const [watched, watch] = useState<Webhook>();
  const [secret, setSecret] = useState<string>();
  const again = useChange(
    (which: { id: number; delivery: number }) => platform.call(resend[of], { parameters: { ...at, ...which } }),
    () => done('The event is sent again'),
  );
  const close = () => ask(undefined);
  const keep = (made: Webhook) => setSecret(made.secret);
  const fields: Field[] = [
    { name: 'url', label: 'Address', required: true, placeholder: 'https://hooks.example.org/platform' },
    {
      name: 'events', label: 'Events', kind: 'many', required: true,
      options: Object.entries(kinds).flatMap(([kind, isForAll]) => (isForAll || org === undefined ? [kind] : [])),
    },
  ];
  return (
    <Page
      title="Webhooks"
      about="The platform sends events to your endpoints. It signs each event with the secret of the endpoint."
    >
      <DataList
        what="endpoints"
        queryKey={['webhooks', org]}
        csv={csvOf(list[of], at)}
        toolbar={
          <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => ask('new')}>New endpoint</Button>
        }
        columns={columns}
        keyOf={({ id }) => id}
        load={(page) => platform.list(list[of], { parameters: { ...at, ...page } })}
        actions={(one) => [
          { title: 'Show the log', act: () => watch(one) },
          { title: 'Edit', act: () => ask({ edit: one }) },
          { title: 'New secret', act: () => ask({ rotate: one }) },
          { title: 'Delete', color: 'red', act: () => ask({ remove: one }) },
        ]}
        empty={<Empty title="No endpoints">A new endpoint receives the chosen events after its creation.</Empty>}
      />
      {watched && (
        <Stack gap="sm">
          <Title order={2} fz={18}>Deliveries to <Short>{watched.url}</Short></Title>
          {again.error && <Failure error={again.error} />}
          <DataList
            what="deliveries"
            queryKey={['deliveries', org, watched.id]}
            csv={csvOf(log[of], { ...at, id: watched.id })}
            columns={logColumns}
            keyOf={({ id }) => id}
            load={(page) => platform.list(log[of], { parameters: { ...at, id: watched.id, ...page } })}
            actions={({ id }) => [{ title: 'Send again', act: () => again.mutate({ id: watched.id, delivery: id }) }]}
            empty={<Empty title="No deliveries">Deliveries are listed here for 30 days.</Empty>}
          />
        </Stack>
      )}
      {asked === 'new' && (
        <FormDialog
          title="New endpoint"
          verb="Create"
          onClose={close}
          after={keep}
          fields={fields}
          act={({ url, events }) =>
            platform.call(create[of], { parameters: at, body: { url: String(url), events: events as Kind[] } })}
        />
      )}
      {typeof asked === 'object' && 'edit' in asked && (
        <FormDialog
          title="Edit the endpoint"
          verb="Save"
          onClose={close}
          said="The endpoint is changed"
          of={asked.edit.id}
          initial={{ url: asked.edit.url, events: asked.edit.events, active: asked.edit.active }}
          fields={[...fields, { name: 'active', label: 'Active', kind: 'switch' }]}
          act={({ url, events, active }) => platform.call(update[of], {
            parameters: { ...at, id: asked.edit.id },
            body: { url: String(url), events: events as Kind[], active: active === true },
          })}
        />
      )}
      {typeof asked === 'object' && 'rotate' in asked && (
        <Confirm
          title="Make a new secret"
          verb="Make it"
          onClose={close}
          act={async () => {
            const parameters = { ...at, id: asked.rotate.id };
            keep(await platform.call(update[of], { parameters, body: { rotateSecret: true } }));
          }}
        >
          Deliveries are signed with both secrets for 24 hours. Afterwards, only the new secret is valid.
        </Confirm>
      )}
      {typeof asked === 'object' && 'remove' in asked && (
        <Confirm
          title="Delete the endpoint"
          verb="Delete"
          onClose={close}
          said="The endpoint is deleted"
          act={async () => {
            await platform.call(remove[of], { parameters: { ...at, id: asked.remove.id } });
            watch(undefined);
          }}
        >
          Nothing more is sent to {asked.remove.url}, and its log is deleted.
        </Confirm>
      )}
      {secret !== undefined && <SecretDialog title="The secret" secret={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  );
}
