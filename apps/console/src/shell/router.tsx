import {
  createRootRoute, createRoute, createRouter, lazyRouteComponent, Navigate, Outlet,
} from '@tanstack/react-router';
import { fetched } from '../api/fetched.ts';
import { basePath, isDeployed } from '../api/page.ts';
import { Waiting } from '../ui/waiting.tsx';
import { Broken } from './broken.tsx';
import { NotFound } from './not-found.tsx';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: () => <Shell><Outlet /></Shell>, notFoundComponent: NotFound });

type Screens = Record<string, unknown>;

/**
 * A route to a screen, whose code is fetched on demand. Shows `NotFound` if the deployment does not have `operation`.
 */
function screen<M extends Screens>(path: string, load: () => Promise<M>, name: keyof M & string, operation?: string) {
  const isThere = operation === undefined || isDeployed(operation);
  const component = isThere ? (lazyRouteComponent((() => fetched(load)) as never, name) as never) : NotFound;
  return createRoute({ getParentRoute: () => root, path, component });
}

const home = () => import('../account/home.tsx');
const account = () => import('../account/account.tsx');
const organization = () => import('../organization/overview.tsx');
const teams = () => import('../organization/teams.tsx');
const team = () => import('../organization/team.tsx');
const members = () => import('../organization/members.tsx');
const roles = () => import('../organization/roles.tsx');
const tokens = () => import('../organization/tokens.tsx');
const webhooks = () => import('../organization/webhooks.tsx');
const contracts = () => import('../contracts/contracts.tsx');
const contract = () => import('../contracts/contract.tsx');
const licences = () => import('../contracts/licences.tsx');
const usage = () => import('../usage/usage.tsx');
const clientBilling = () => import('../usage/client-billing.tsx');
const hubs = () => import('../clusters/hubs.tsx');
const hub = () => import('../clusters/hub.tsx');
const clients = () => import('../clusters/clients.tsx');
const metrics = () => import('../clusters/metrics.tsx');
const licensed = () => import('../dashboard/licensed.tsx');
const events = () => import('../dashboard/events.tsx');
const outages = () => import('../dashboard/outages.tsx');
const subscriptions = () => import('../dashboard/subscriptions.tsx');
const siteUsers = () => import('../site/users.tsx');
const siteOrganizations = () => import('../site/organizations.tsx');
const audit = () => import('../audit/audit.tsx');
const explain = () => import('../organization/explain.tsx');
const settings = () => import('../site/settings.tsx');
const operations = () => import('../site/operations.tsx');

/**
 * Sign-in links lead to this route. The shell redeems the code of the link. Then the route opens the start page, unless
 * the shell opens a remembered page.
 */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: () => <Navigate to="/" replace />,
});

const routes = [
  signIn,
  screen('/', home, 'Home'),
  screen('/account', account, 'Account'),
  screen('/orgs/$org', organization, 'Overview'),
  screen('/orgs/$org/teams', teams, 'Teams'),
  screen('/orgs/$org/teams/$team', team, 'TeamScreen'),
  screen('/orgs/$org/members', members, 'Members'),
  screen('/orgs/$org/roles', roles, 'Roles'),
  screen('/orgs/$org/tokens', tokens, 'Tokens'),
  screen('/orgs/$org/webhooks', webhooks, 'Webhooks'),
  screen('/orgs/$org/clusters', hubs, 'Hubs'),
  screen('/orgs/$org/clusters/$owner/$cluster', hub, 'Hub'),
  screen('/orgs/$org/metrics', metrics, 'Metrics'),
  screen('/orgs/$org/contracts', contracts, 'Contracts', 'listUserContracts'),
  screen('/orgs/$org/contracts/$contract', contract, 'ContractScreen', 'listUserContracts'),
  screen('/orgs/$org/licences', licences, 'Licences', 'createLicenseProxy'),
  screen('/account/contracts', contracts, 'Contracts', 'listUserContracts'),
  screen('/account/contracts/$contract', contract, 'ContractScreen', 'listUserContracts'),
  screen('/account/licences', licences, 'Licences', 'createLicenseProxy'),
  screen('/orgs/$org/usage', usage, 'Usage', 'getClustersUsage'),
  screen('/orgs/$org/client-billing', clientBilling, 'ClientBilling', 'listNamespaceReports'),
  screen('/site/contracts', contracts, 'SiteContracts', 'listContracts'),
  screen('/site/contracts/$contract', contract, 'SiteContract', 'listContracts'),
  screen('/site/clients', clients, 'Clients'),
  screen('/site/licensed', licensed, 'Licensed', 'listLicensedUsers'),
  screen('/site/licensed/$uid', licensed, 'LicensedUserScreen', 'listLicensedUsers'),
  screen('/site/licensed/$uid/$cluster', licensed, 'LicensedCluster', 'listLicensedUsers'),
  screen('/site/licensed/$uid/$cluster/$licence', licensed, 'LicensedLicence', 'listLicensedUsers'),
  screen('/site/licensed/$uid/$cluster/$licence/$product', events, 'Events', 'listLicensedUsers'),
  screen('/site/outages', outages, 'Outages', 'getOutageReport'),
  screen('/site/subscriptions', subscriptions, 'Subscriptions', 'listSubscriptions'),
  screen('/site/subscriptions/$marketplace/$subscription', subscriptions, 'SubscriptionScreen', 'listSubscriptions'),
  screen('/site/settings', settings, 'Settings'),
  screen('/site/users', siteUsers, 'SiteUsers'),
  screen('/site/organizations', siteOrganizations, 'SiteOrganizations'),
  screen('/site/webhooks', webhooks, 'Webhooks'),
  screen('/site/audit', audit, 'SiteAudit'),
  screen('/site/operations', operations, 'Operations'),
  screen('/orgs/$org/audit', audit, 'OrganizationAudit'),
  screen('/orgs/$org/explain', explain, 'Explain'),
];

export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: basePath === '' ? '/' : basePath,
  defaultPendingComponent: () => <Waiting what="the screen" />,
  defaultErrorComponent: Broken,
  defaultNotFoundComponent: NotFound,
  defaultPreload: 'intent',
  scrollRestoration: true,
});
