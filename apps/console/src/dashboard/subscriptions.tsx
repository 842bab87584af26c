import { Alert, Badge, Button, List, Stack, Text, Timeline, Title } from '@mantine/core';
import type { SettingWarnings, Subscription } from '@platform/client';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { csvOf, platform } from '../api/client.ts';
import { useAnyOrg } from '../api/acting.ts';
import { Confirm, done, useChange } from '../ui/act.tsx';
import { momentColumn, shortColumn } from '../ui/columns.tsx';
import { DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Facts } from '../ui/facts.tsx';
import { Failure } from '../ui/failure.tsx';
import { Moment } from '../ui/moment.tsx';
import { Page } from '../ui/page.tsx';
import { Read } from '../ui/read.tsx';
import { Short } from '../ui/short.tsx';
import { NeedsOrganization } from './needs-organization.tsx';

const stateColors: Partial<Record<Subscription['state'], string>> = {
  Running: 'green', Failed: 'red', DeletionFailed: 'red', Deleted: 'gray', Revoked: 'gray',
};

/** What customers bought through marketplaces. */
export function Subscriptions() {
  const org = useAnyOrg();
  const navigate = useNavigate();
  if (org === undefined) return <NeedsOrganization title="Subscriptions" />;
  return (
    <Page title="Subscriptions" about="What customers bought through marketplaces.">
      <Read
        what="The warnings about settings"
        queryKey={['setting warnings', org]}
        load={() => platform.call('getSettingWarnings', { parameters: { org } })}
      >
        {(warnings) => <Warnings of={warnings} />}
      </Read>
      <DataList<Subscription>
        what="subscriptions"
        queryKey={['subscriptions', org]}
        csv={csvOf('listSubscriptions', { org })}
        keyOf={({ marketplace, subscriptionId }) => `${marketplace} ${subscriptionId}`}
        load={({ limit: _limit, ...page }) => platform.list('listSubscriptions', { parameters: { org, ...page } })}
        columns={[
          shortColumn('Subscription', ({ subscriptionId }) => subscriptionId, { mono: true }),
          { title: 'Marketplace', value: ({ marketplace }) => marketplace },
          { title: 'State', value: ({ state }) => state, shown: ({ state }) => <State of={state} /> },
          {
            title: 'Reports of use', value: ({ noOfBillingEventSent }) => noOfBillingEventSent, numeric: true,
            minor: true,
          },
          momentColumn('Changed', ({ lastUpdatedAt }) => lastUpdatedAt, { minor: true }),
        ]}
        onOpen={({ marketplace, subscriptionId }) =>
          void navigate({ to: `/site/subscriptions/${marketplace}/${encodeURIComponent(subscriptionId)}` })}
        empty={
          <Empty title="No subscriptions yet">Customers subscribe through the marketplaces of this deployment.</Empty>
        }
      />
    </Page>
  );
}

function Warnings({ of: { warnings } }: { of: SettingWarnings }) {
  const all = Object.entries(warnings).flatMap(([setting, each]) =>
    each.map(({ Level, Msg }) => ({ setting, Level, Msg })));
  if (all.length === 0) return null;
  const isError = all.some(({ Level }) => Level === 'error');
  return (
    <Alert
      color={isError ? 'red' : 'yellow'}
      variant="light"
      icon={<IconAlertTriangle />}
      title="Settings that need attention"
    >
      <List size="sm">
        {all.map(({ setting, Msg }) => <List.Item key={`${setting} ${Msg}`}>{setting}: {Msg}</List.Item>)}
      </List>
    </Alert>
  );
}

function State({ of }: { of: Subscription['state'] }) {
  return <Badge variant="light" color={stateColors[of] ?? 'blue'} tt="none">{of}</Badge>;
}

/** Whether usage is reported through a proxy, which can be pinged. Usage is reported to provider B without a proxy. */
const reportsByProxy = (marketplace: string) => marketplace !== 'ProviderB';

const reading = (marketplace: string, subscriptionId: string, org = '') => ({
  queryKey: ['subscription', marketplace, subscriptionId, org],
  queryFn: () => platform.call('getSubscription', { parameters: { marketplace, subscriptionId, org } }),
});

/** Returns the properties and the billing details of a subscription, as pairs of title and value. */
function factsOf(one: Subscription): [string, ReactNode][] {
  const proxy = one.providerABillingDetails ?? one.providerCBillingDetails;
  const application = one.providerBBillingDetails;
  const text = (value: string) => value && <Short width={300}>{value}</Short>;
  const billing: [string, ReactNode][] = proxy
    ? [['Its use is reported at', text(proxy.hostedBaseURL)], ['Token there', text(proxy.meteringProxyApiToken)]]
    : application
      ? [
          ['Application', text(application.appName)],
          ['Plan', text(application.planId)],
          ['Resource', text(application.resourceUri)],
          ['Managed resource group', text(application.managedResourceGroupId)],
          ['Resource group of the customer', text(application.customerOwnedRG)],
          ['Subscription of the customer', text(application.subscriptionId)],
        ]
      : [];
  return [
    ['State', <State key="state" of={one.state} />],
    ['Marketplace', one.marketplace],
    ['Account', one.subscriberId || ''],
    ['Installer', text(one.boundedInstallerId)],
    ['Reports of use', one.noOfBillingEventSent],
    ['Last report', <Moment key="report" at={one.lastBillingEventSentAt} />],
    ['Start of reported use', <Moment key="before" at={one.billingNotBefore} />],
    ['Alerts', one.noOfAlertNotificationsSent ?? 0],
    ['Made', <Moment key="made" at={one.createdAt} />],
    ['Changed', <Moment key="changed" at={one.lastUpdatedAt} />],
    ...billing,
  ];
}

/** One subscription with its properties, its audit and its actions. */
export function SubscriptionScreen() {
  const { marketplace, subscription: subscriptionId } =
    useParams({ strict: false }) as { marketplace: string; subscription: string };
  const org = useAnyOrg();
  const [isAsked, ask] = useState(false);
  const { data: known } = useQuery({ ...reading(marketplace, subscriptionId, org), enabled: org !== undefined });
  const ping = useChange(
    () => platform.call('pingSubscription', { parameters: { marketplace, subscriptionId, org: org! } }),
    () => done('The customer’s platform answers'),
  );
  if (org === undefined) return <NeedsOrganization title="Subscription" />;
  const parameters = { marketplace, subscriptionId, org };
  const { queryKey, queryFn } = reading(marketplace, subscriptionId, org);
  return (
    <Page
      title={subscriptionId}
      above={[{ title: 'Subscriptions', to: '/site/subscriptions' }]}
      actions={
        <>
          {reportsByProxy(marketplace) && (
            <Button variant="default" loading={ping.isPending} onClick={() => ping.mutate(undefined)}>Ping</Button>
          )}
          {known?.isRevocable && <Button variant="light" color="red" onClick={() => ask(true)}>Revoke</Button>}
        </>
      }
    >
      {ping.error && <Failure error={ping.error} />}
      <Read what="The subscription" queryKey={queryKey} load={queryFn}>{(one) => <Facts of={factsOf(one)} />}</Read>
      <Title order={2} fz={18}>What happened</Title>
      <Read
        what="The audit"
        queryKey={['subscription audit', parameters]}
        load={() => platform.call('getAuditLogs', { parameters })}
      >
        {({ auditReports }) => {
          const events = Object.values(auditReports).flat();
          return events.length === 0 ? <Empty title="Nothing happened yet" /> : (
            <Timeline bulletSize={14} lineWidth={2} active={events.length}>
              {events.map((event, index) => (
                <Timeline.Item
                  key={index}
                  color={event.status === 'failure' ? 'red' : undefined}
                  title={`${event.operationType}: ${event.status}`}
                >
                  <Stack gap={0}>
                    <Short width={640}>{event.description}</Short>
                    <Text size="sm" c="dimmed"><Moment at={event.timestamp} /></Text>
                  </Stack>
                </Timeline.Item>
              ))}
            </Timeline>
          );
        }}
      </Read>
      {isAsked && (
        <Confirm
          title="Revoke the subscription"
          verb="Revoke"
          typed={subscriptionId}
          onClose={() => ask(false)}
          said="The subscription is revoked"
          act={() => platform.call('revokeSubscription', { parameters })}
        >
          Its contracts end.
        </Confirm>
      )}
    </Page>
  );
}
