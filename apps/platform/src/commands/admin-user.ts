import { AdminServiceService, type AdminUser } from '@platform/proto/orgs/v1/admin';
import type { Environment } from '../launcher/settings.ts';
import type { Output } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';

export interface CreateUserOptions extends ServerOptions {
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

export interface UpdateUserOptions extends ServerOptions {
  readonly admin?: boolean;
  readonly active?: boolean;
  readonly prohibitLogin?: boolean;
}

/** `platform admin user update`: changes the flags given. @throws Fault */
export async function updateUser(
  username: string,
  { admin, active, prohibitLogin, ...server }: UpdateUserOptions,
  environment: Environment,
  output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  const user = await service.updateUser({
    username,
    ...(admin === undefined ? {} : { admin }),
    ...(active === undefined ? {} : { active }),
    ...(prohibitLogin === undefined ? {} : { prohibitLogin }),
  }, operatorCall());
  answerUser(user, 'changed', output);
}

export interface DeleteUserOptions extends ServerOptions {
  readonly leaveOrganizations?: boolean;
}

/** `platform admin user delete`: answers `{"deleted": true}`. @throws Fault LAST_OWNER, ORG_IN_USE */
export async function deleteUser(
  username: string,
  { leaveOrganizations = false, ...server }: DeleteUserOptions,
  environment: Environment,
  output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  await service.deleteUser({ username, leaveOrganizations }, operatorCall());
  output.answer({ deleted: true }, () => [`User ${username} deleted.`]);
}

function answerUser({ id, username, admin }: AdminUser, done: string, output: Output): void {
  output.answer({ id, username }, () => [`User ${username} ${done} (id ${id}${admin ? ', site admin' : ''}).`]);
}
