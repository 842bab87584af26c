import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Gate, type Method, type NamedObject, type Surface } from '@platform/surface';

const golden = join(import.meta.dirname, '../../golden');

/** All 186 endpoints of the spec. */
export function readEndpoints() {
  const lines = readFileSync(join(golden, 'endpoints.tsv'), 'utf8').split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [, verb = '', path = '', statuses = ''] = line.split('\t');
    return { verb, path, statuses: statuses.split(',').map(Number) };
  });
}

/** Routes of the platform that the spec does not list (open-points 1.2, 18). */
export const routesOutside = [
  'GET /api/v1/user', 'PATCH /api/v1/user/settings', 'GET /api/v1/user/orgs', 'GET /api/v1/users/search',
  'GET /api/v1/users/{username}/tokens', 'POST /api/v1/users/{username}/tokens',
  'DELETE /api/v1/users/{username}/tokens/{token}', 'POST /api/v1/user/identities/{provider}',
  'GET /api/v1/user/sessions', 'DELETE /api/v1/user/sessions/{id}', 'DELETE /api/v1/orgs/{orgname}/invitations/{id}',
  'GET /api/v1/orgs/{orgname}/invitations', 'POST /api/v1/orgs/{orgname}/invitations',
  'GET /api/v1/orgs/{orgname}/webhooks', 'POST /api/v1/orgs/{orgname}/webhooks',
  'PATCH /api/v1/orgs/{orgname}/webhooks/{id}', 'DELETE /api/v1/orgs/{orgname}/webhooks/{id}',
  'GET /api/v1/orgs/{orgname}/webhooks/{id}/deliveries',
  'POST /api/v1/orgs/{orgname}/webhooks/{id}/deliveries/{delivery}/resend',
  'GET /api/v1/admin/webhooks', 'POST /api/v1/admin/webhooks',
  'PATCH /api/v1/admin/webhooks/{id}', 'DELETE /api/v1/admin/webhooks/{id}',
  'GET /api/v1/admin/webhooks/{id}/deliveries', 'POST /api/v1/admin/webhooks/{id}/deliveries/{delivery}/resend',
  'GET /auth/providers', 'GET /auth/oidc/{provider}', 'GET /auth/oidc/{provider}/callback',
  'POST /auth/sign-in/mail', 'POST /auth/sign-in/mail/{code}', 'POST /auth/sign-up', 'POST /auth/sign-up/{code}',
  'POST /auth/invitation/{code}',
  'POST /api/v1/orgs/{orgname}/tokens/access-tokens', 'POST /api/v1/orgs/{orgname}/tokens/bus-tokens',
  'GET /api/v1/admin/users', 'POST /api/v1/admin/users', 'PATCH /api/v1/admin/users/{username}',
  'DELETE /api/v1/admin/users/{username}', 'GET /api/v1/admin/orgs', 'GET /api/v1/admin/audit',
  'GET /api/v1/admin/status', 'GET /api/v1/admin/parked-events', 'POST /api/v1/admin/parked-events/replay',
  'GET /api/v1/admin/license-cas', 'GET /api/v1/admin/installers',
  'GET /api/v1/orgs/{orgname}/audit', 'POST /api/v1/authz/explain',
  'GET /api/v1/clusters', 'POST /api/v1/clusters', 'GET /api/v1/clusters/{owner}/{cluster}',
  'PATCH /api/v1/clusters/{owner}/{cluster}', 'DELETE /api/v1/clusters/{owner}/{cluster}',
  'GET /auth/session', 'POST /auth/sign-in/token', 'POST /auth/link/{code}', 'POST /auth/sign-out',
  'GET /avatars/{hash}', 'GET /files/{name=**}', 'GET /links/invitation/{user}', 'POST /links/invitation/{user}',
  'GET /links/installer/{owner_id}/{installer_name}/{archive}/archive.tar.gz',
];

/** Path of the committed list of routes with their access rules. */
export const goldenRoutesFile = join(golden, 'routes.txt');

/** A path as the router sees it: names of parameters and a trailing slash do not count. */
export function routeKey(verb: string, path: string): string {
  return `${verb} ${path.replace(/\{[^}]*\}/g, '{}').replace(/(.)\/$/, '$1')}`;
}

/** Every method with its route and its callers, in the order of paths, for reviewers. */
export function describeRoutes(surface: Surface): string {
  const rows = surface.methods.map((method) => {
    const route = method.http ? `${method.http.verb.padEnd(6)} ${method.http.template}` : '(internal)';
    return { sort: `${method.http?.template ?? '~'} ${method.fullName}`, text: `${route}\n  ${method.fullName}\n  ${describeAccess(method)}\n` };
  });
  return rows.sort((a, b) => (a.sort < b.sort ? -1 : 1)).map(({ text }) => text).join('\n');
}

function describeAccess({ access, rest, statuses }: Method): string {
  const { account, check, who } = access;
  const parts = [callers[who]];
  if (access.tokenScope !== undefined) parts.push(`scope ${access.tokenScope}`);
  else if (who !== 'internal' && who !== 'anonymous') parts.push('any scope');
  if (account) {
    const source = account.from === 'slug' ? account.field : `owner of ${nameOf(account.object)}`;
    const optional = account.from === 'slug' && account.optional ? ' (optional)' : '';
    const ownerOf = account.from === 'slug' && account.ownerOf ? `, else the owner of ${account.ownerOf.type}` : '';
    parts.push(`in ${source}${account.orUser ? ' (a user too)' : ''}${optional}${ownerOf}`);
    if (account.from === 'object' && account.stranger !== 'NOT_FOUND') parts.push(`strangers: ${account.stranger}`);
  }
  if (access.right) parts.push(`needs the right ${access.right.name}`);
  const on = check?.object ? nameOf(check.object) : check?.type;
  if (check?.relation) parts.push(`needs ${check.relation} on ${on}`);
  for (const [name, action] of check?.actions ?? []) {
    parts.push(`${name} needs ${action.relation} on ${on}${action.orSelf ? ' or self' : ''}`);
  }
  for (const { given, relation } of check?.instead ?? []) parts.push(`with ${given.join(' or ')} needs ${relation} instead`);
  if (check && check.missing !== 'NOT_FOUND') parts.push(`refuses a missing one with ${check.missing}`);
  if (access.scope) parts.push(`tokens bound to ${access.scope} too`);
  for (const [reason, status] of statuses) parts.push(`${reason} is ${status}`);
  if (rest.gate) parts.push(`gate ${Gate[rest.gate]}`);
  return parts.join(', ');
}

const nameOf = ({ type, fields }: NamedObject) => `${type}:${fields.join('/')}`;
const callers = {
  internal: 'services and the operator', anonymous: 'everybody, credentials ignored', public: 'everybody',
  token: 'every account', member: 'members',
};
