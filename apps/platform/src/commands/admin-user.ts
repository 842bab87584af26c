import { AdminServiceService, type AdminUser, type UserDetails } from '@platform/proto/orgs/v1/admin';
import type { Environment } from '../settings.ts';
import { columns, facts, type Output, timeText } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';
import { allParts, refuseMissing } from './lists.ts';

interface UserFlags extends ServerOptions {
  readonly admin?: boolean;
  readonly active?: boolean;
  readonly prohibitLogin?: boolean;
}

interface CreateUserOptions extends Omit<UserFlags, 'active'> {
  readonly username: string;
  readonly email: string;
  readonly fullName?: string;
  /** False with `--no-create-organization`. */
  readonly createOrganization: boolean;
  readonly inactive?: boolean;
}

/**
 * `platform admin user create`: creates a user. With `--json`, prints `{"id": 1, "username": "U"}`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function createUser(
  { username, email, fullName = '', createOrganization, inactive = false, ...options }: CreateUserOptions,
  environment: Environment, output: Output,
): Promise<void> {
  const { admin = false, prohibitLogin = false, ...server } = options;
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  const user = await service.createUser({
    username, email, fullName, admin, noCreateOrganization: !createOrganization, prohibitLogin, inactive,
  }, operatorCall());
  answerUser(user, 'created', output);
}

/**
 * `platform admin user update`: changes the given flags. With `--json`, prints `{"id": 1, "username": "U"}`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function updateUser(
  username: string, { admin, active, prohibitLogin, ...server }: UserFlags, environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  const user = await service.updateUser({ username, admin, active, prohibitLogin }, operatorCall());
  answerUser(user, 'changed', output);
}

/**
 * `platform admin user delete`: deletes a user. With `--json`, prints `{"deleted": true}`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function deleteUser(
  username: string,
  { leaveOrganizations = false, ...server }: ServerOptions & { readonly leaveOrganizations?: boolean },
  environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  await service.deleteUser({ username, leaveOrganizations }, operatorCall());
  output.answer({ deleted: true }, () => [`User ${username} deleted.`]);
}

function answerUser({ id, username, admin }: AdminUser, done: string, output: Output): void {
  output.answer({ id, username }, () => [`User ${username} ${done} (id ${id}${admin ? ', site admin' : ''}).`]);
}

/**
 * `platform admin user list`: prints users by ascending id. With `--json`, prints `{"users": […]}`. {@link shownUser}
 * returns the fields of a user.
 * @throws Fault, CommandFault, ConfigError
 */
export async function listUsers(
  { query: q, active, admin, ...server }: UserFlags & { readonly query?: string },
  environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  const users = await allParts((after) => service.listUsers({ q, active, admin, after }, operatorCall()),
    (part) => part.users.map(shownUser));
  output.answer({ users }, () => columns([
    ['ID', 'USERNAME', 'FULL NAME', 'E-MAIL', 'SITE ADMIN', 'STATE', 'LAST SIGN-IN'],
    ...users.map((user) => [
      String(user.id), user.username, user.fullName, user.email, user.admin ? 'yes' : '', stateOf(user),
      user.lastLoginAt ?? 'never',
    ]),
  ]));
}

/**
 * `platform admin user show`: prints one user. With `--json`, prints a user as in `user list`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function showUser(
  username: string, server: ServerOptions, environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  const { users: [found] } = await service.listUsers({ username }, operatorCall());
  const user = shownUser(refuseMissing(found, `user ${username}`, 'user list'));
  output.answer(user, () => facts([
    ['id', user.id], ['username', user.username], ['full name', user.fullName], ['e-mail', user.email],
    ['site admin', user.admin], ['state', stateOf(user)], ['may create organizations', user.mayCreateOrganization],
    ['organizations', user.organizations.join(', ')], ['signs in by', user.issuers.join(', ')],
    ['created', user.createdAt], ['last sign-in', user.lastLoginAt ?? 'never'],
  ]));
}

function shownUser({ user, createdAt, lastLoginAt, organizations, issuers }: UserDetails) {
  return { ...user!, organizations, issuers, createdAt: timeText(createdAt), lastLoginAt: timeText(lastLoginAt) };
}

function stateOf({ active, prohibitLogin }: Pick<AdminUser, 'active' | 'prohibitLogin'>): string {
  if (!active) return 'inactive';
  return prohibitLogin ? 'may not sign in' : 'active';
}
