import { NavLink, Text } from '@mantine/core';
import {
  IconAlarm, IconBuildingStore, IconCertificate, IconChartBar, IconFileCertificate, IconHelp, IconHistory, IconHome,
  IconKey, IconLicense, IconPalette, IconReceipt, IconServer2, IconShieldLock, IconUser, IconUsers, IconUsersGroup,
  IconActivity, IconBuildingSkyscraper, IconGauge, IconWebhook,
} from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { isDeployed } from '../api/page.ts';
import { useSession } from '../api/session.ts';
import { useActing, useOrg } from '../api/acting.ts';

interface Entry {
  readonly title: string;
  readonly to: string;
  readonly icon: typeof IconHome;
  /** Whether the link is shown; default true. */
  readonly offered?: boolean;
  /** Whether the link is highlighted on its own page only, not on the pages below. */
  readonly exact?: boolean;
}

/** Links to the screens that the person may open in this deployment. */
export function Navigation({ onGo }: { onGo: () => void }) {
  const org = useOrg();
  const acting = useActing();
  const isAdmin = useSession().data?.user.is_admin === true;
  // A site admin has all rights. Show the links before the rights are read, so that the links do not move later.
  const may = (relation: string) => acting.may(relation) || (isAdmin && acting.error === null);
  const at = `/orgs/${org}`;
  return (
    <>
      <Group
        title="You"
        onGo={onGo}
        entries={[
          { title: 'Start', to: '/', icon: IconHome, exact: true },
          { title: 'Account', to: '/account', icon: IconUser, exact: true },
          {
            title: 'My contracts', to: '/account/contracts', icon: IconFileCertificate,
            offered: isDeployed('listUserContracts'),
          },
          {
            title: 'My licences', to: '/account/licences', icon: IconLicense, offered: isDeployed('createLicenseProxy'),
          },
        ]}
      />
      {org !== undefined && (
        <Group
          title={org}
          onGo={onGo}
          entries={[
            { title: 'Overview', to: at, icon: IconBuildingSkyscraper, exact: true },
            { title: 'Teams', to: `${at}/teams`, icon: IconUsersGroup, offered: may('can_list_teams') },
            { title: 'Members', to: `${at}/members`, icon: IconUsers, offered: may('can_view') },
            { title: 'Roles', to: `${at}/roles`, icon: IconShieldLock, offered: may('can_view') },
            {
              title: 'Tokens', to: `${at}/tokens`, icon: IconKey,
              offered: may('can_list_access_tokens') || may('can_list_bus_tokens'),
            },
            { title: 'Webhooks', to: `${at}/webhooks`, icon: IconWebhook, offered: may('can_manage_webhooks') },
            { title: 'Audit', to: `${at}/audit`, icon: IconHistory, offered: may('can_view_audit') },
            { title: 'Explain', to: `${at}/explain`, icon: IconHelp, offered: may('can_edit') },
            { title: 'Clusters', to: `${at}/clusters`, icon: IconServer2, offered: may('can_view') },
            { title: 'Metrics', to: `${at}/metrics`, icon: IconActivity, offered: may('can_manage_metrics_backends') },
            {
              title: 'Contracts', to: `${at}/contracts`, icon: IconFileCertificate,
              offered: isDeployed('listUserContracts') && may('can_view_contracts'),
            },
            {
              title: 'Licences', to: `${at}/licences`, icon: IconLicense,
              offered: isDeployed('createLicenseProxy') && may('can_view_contracts'),
            },
            {
              title: 'Usage', to: `${at}/usage`, icon: IconChartBar,
              // The usage reports are for site admins only (`can_admin_view_usage`).
              offered: isDeployed('getClustersUsage') && isAdmin,
            },
            {
              title: 'Client billing', to: `${at}/client-billing`, icon: IconReceipt,
              offered: isDeployed('listNamespaceReports') && may('can_view_client_billing'),
            },
          ]}
        />
      )}
      {isAdmin && (
        <Group
          title="Site"
          onGo={onGo}
          entries={[
            { title: 'Contracts', to: '/site/contracts', icon: IconCertificate, offered: isDeployed('listContracts') },
            {
              title: 'Licensed users', to: '/site/licensed', icon: IconGauge, offered: isDeployed('listLicensedUsers'),
            },
            { title: 'Outages', to: '/site/outages', icon: IconAlarm, offered: isDeployed('getOutageReport') },
            {
              title: 'Subscriptions', to: '/site/subscriptions', icon: IconBuildingStore,
              offered: isDeployed('listSubscriptions'),
            },
            { title: 'Clients', to: '/site/clients', icon: IconUsersGroup },
            { title: 'Users', to: '/site/users', icon: IconUsers },
            { title: 'Organizations', to: '/site/organizations', icon: IconBuildingSkyscraper },
            { title: 'Webhooks', to: '/site/webhooks', icon: IconWebhook },
            { title: 'Audit', to: '/site/audit', icon: IconHistory },
            { title: 'Operations', to: '/site/operations', icon: IconActivity },
            { title: 'Presentation', to: '/site/settings', icon: IconPalette },
          ]}
        />
      )}
    </>
  );
}

function Group({ title, entries, onGo }: { title: string; entries: readonly Entry[]; onGo: () => void }) {
  const { pathname } = useLocation();
  return (
    <nav aria-label={title}>
      <Text
        size="xs" fw={700} c="dimmed" px="sm" pt="md" pb={4} truncate dir="auto"
        tt={title === 'You' || title === 'Site' ? 'uppercase' : undefined}
      >
        {title}
      </Text>
      {entries.filter(({ offered }) => offered ?? true).map(({ title: label, to, icon: Icon, exact }) => (
        <NavLink
          key={to}
          component={Link}
          activeOptions={{ exact: exact === true }}
          to={to}
          label={label}
          leftSection={<Icon size={18} stroke={1.6} />}
          onClick={onGo}
          active={exact ? pathname === to : pathname === to || pathname.startsWith(`${to}/`)}
          aria-current={pathname === to ? 'page' : undefined}
          styles={{ root: { borderRadius: 'var(--mantine-radius-md)' } }}
        />
      ))}
    </nav>
  );
}
