const form = /^[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*$/;
const mostCharacters = 40;
const systemAdminName = /^org-[0-9]+-system$/;
const licenseeName = /^licensed-[0-9]+$/;

const reserved = new Set([
  'admin', 'api', 'assets', 'avatars', 'branding', 'claim', 'claims', 'clusters', 'console', 'contracts', 'dashboard',
  'dbaas', 'files', 'ghost', 'health', 'links', 'login', 'logout', 'marketplace', 'me', 'metrics', 'metricsproxy',
  'new', 'orgs', 'proxy', 'public', 'register', 'settings', 'site', 'static', 'swagger', 'system', 'teams', 'user',
  'users', 'version',
]);

/**
 * Returns the lower-case form of an account name, for comparison and lookup (open-points 1.10). Returns undefined if
 * the text does not have the form of an account name.
 */
export function slugKey(name: string): string | undefined {
  return form.test(name) && name.length <= mostCharacters ? name.toLowerCase() : undefined;
}

/** Why a user or an organization may not have this name (open-points 1.10); undefined if the name is allowed. */
export function slugProblem(name: string): string | undefined {
  if (name === '') return 'must not be empty';
  const key = name.toLowerCase();
  if (name === '.' || name === '..' || reserved.has(key) || systemAdminName.test(key) || licenseeName.test(key)) {
    return 'is reserved, choose another one';
  }
  if (name.length > mostCharacters) return `must have at most ${mostCharacters} characters`;
  if (!form.test(name)) {
    return 'must consist of ASCII letters and digits, with single hyphens, underscores or dots between them';
  }
  return undefined;
}

/** Name of the account that is created for a licence whose account does not exist (open-points 6.3). */
export function licenseeNameOf(accountId: number): string {
  return `licensed-${accountId}`;
}

/** Name of an organization's hidden system admin (open-points 1.10). */
export function systemAdminNameOf(organizationId: number): string {
  return `org-${organizationId}-system`;
}
