import { AdminServiceService, type AdminUser, type UserDetails } from '@platform/proto/orgs/v1/admin';
import type { Environment } from '../settings.ts';
import { columns, facts, type Output, timeText } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';
import { allParts, refuseMissing } from './lists.ts';

interface CreateUserOptions extends ServerOptions {
  readonly username: string;
  readonly email: string;
  readonly fullName?: string;
  readonly admin?: boolean;
  /** False with `--no-create-organization`. */
  readonly createOrganization: boolean;
  readonly prohibitLogin?: boolean;
  readonly inactive?: boolean;
}

/** `platform admin user create`: answers `{"id": 1, "username": "U"}`. @throws Fault */
export async function createUser(options: CreateUserOptions, environment: Environment, output: Output): Promise<void> {
  await using admin = await connectOperator(AdminServiceService, 'orgs-teams', options, environment);
  const user = await admin.createUser({
    username: options.username,
    email: options.email,
    fullName: options.fullName ?? '',
    admin: options.admin ?? false,
    noCreateOrganization: !options.createOrganization,
    prohibitLogin: options.prohibitLogin ?? false,
    inactive: options.inactive ?? false,
  }, operatorCall());
  answerUser(user, 'created', output);
}

interface UpdateUserOptions extends ServerOptions {
  readonly admin?: boolean;
  readonly active?: boolean;
  readonly prohibitLogin?: boolean;
}

/** `platform admin user update`: changes the given flags. @throws Fault */
export async function updateUser(
  username: string, { admin, active, prohibitLogin, ...server }: UpdateUserOptions,
  environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  const user = await service.updateUser({ username, admin, active, prohibitLogin }, operatorCall());
  answerUser(user, 'changed', output);
}

/** `platform admin user delete`: answers `{"deleted": true}`. @throws Fault LAST_OWNER, ORG_IN_USE */
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

interface ListUsersOptions extends ServerOptions {
  /** Beginning of the name, or of the full name. */
  readonly query?: string;
  readonly active?: boolean;
  readonly admin?: boolean;
}

/** `platform admin user list`: answers `{"users": […]}`, with the fields of {@link shownUser}. @throws Fault */
export async function listUsers(
  { query, active, admin, ...server }: ListUsersOptions, environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  const users = (await allParts(async (after) => {
    const part = await service.listUsers({ q: query, active, admin, after }, operatorCall());
    return [part.users, part.next];
  })).map(shownUser);
  output.answer({ users }, () => columns([
    ['ID', 'USERNAME', 'FULL NAME', 'E-MAIL', 'SITE ADMIN', 'STATE', 'LAST SIGN-IN'],
    ...users.map((user) => [
      String(user.id), user.username, user.fullName, user.email, user.admin ? 'yes' : '', stateOf(user),
      user.lastLoginAt ?? 'never',
    ]),
  ]));
}

/** `platform admin user show`: answers one user, with the same fields as `list`. @throws Fault, CommandFault */
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
