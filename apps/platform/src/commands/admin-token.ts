import { AdminServiceService, type TokenDetails } from '@platform/proto/orgs/v1/admin';
import type { Environment } from '../settings.ts';
import { columns, facts, type Output, timeText } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';
import { allParts, refuseMissing } from './lists.ts';

interface CreateTokenOptions extends ServerOptions {
  /** Exactly one of `user` and `org` is given. */
  readonly user?: string;
  readonly org?: string;
  readonly name: string;
  /** Lifetime in seconds; default unlimited. */
  readonly expires?: number;
  /** Default: `all`. */
  readonly scopes?: readonly string[];
}

/**
 * `platform admin token create`: creates a token, and shows it only once. With `--json`, prints
 * `{"id": 1, "token": "…"}`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function createToken(
  { user = '', org: organization = '', name, expires = 0, scopes = [], ...server }: CreateTokenOptions,
  environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  const request = { user, organization, name, expiresInSeconds: expires, scopes: { scopes: [...scopes] } };
  const { id, token } = await service.createToken(request, operatorCall());
  output.answer({ id, token }, () => [`Token ${id}, which is shown only once:`, token]);
}

/**
 * `platform admin token revoke`: revokes a token. With `--json`, prints `{"revoked": true}`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function revokeToken(
  id: number, server: ServerOptions, environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  await service.revokeToken({ id }, operatorCall());
  output.answer({ revoked: true }, () => [`Token ${id} revoked.`]);
}

/**
 * `platform admin token list`: prints tokens by ascending id, without their values. With `--json`, prints
 * `{"tokens": […]}`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function listTokens(
  { user, org: organization, ...server }: ServerOptions & { readonly user?: string; readonly org?: string },
  environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  const tokens = await allParts((after) => service.listTokens({ user, organization, after }, operatorCall()),
    (part) => part.tokens.map(shownToken));
  output.answer({ tokens }, () => columns([
    ['ID', 'ACCOUNT', 'NAME', 'ENDS WITH', 'MAY', 'LAST USED', 'EXPIRES'],
    ...tokens.map(({ id, account, name, lastEight, scopes, lastUsedAt = 'never', expiresAt = 'never' }) =>
      [String(id), account, name, lastEight, scopes.join(' '), lastUsedAt, expiresAt]),
  ]));
}

/**
 * `platform admin token show`: prints one token, without its value. With `--json`, prints a token as in `token list`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function showToken(
  id: number, server: ServerOptions, environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  const { tokens: [found] } = await service.listTokens({ id }, operatorCall());
  const token = shownToken(refuseMissing(found, `token ${id}`, 'token list'));
  output.answer(token, () => facts([
    ['id', token.id], [token.organization ? 'organization' : 'user', token.account], ['name', token.name],
    ['ends with', token.lastEight], ['may', token.scopes.join(' ')], ['made for', token.madeFor],
    ['created', token.createdAt], ['last used', token.lastUsedAt ?? 'never'], ['expires', token.expiresAt ?? 'never'],
  ]));
}

function shownToken({ createdAt, lastUsedAt, expiresAt, ...token }: TokenDetails) {
  return { ...token, createdAt: timeText(createdAt), lastUsedAt: timeText(lastUsedAt), expiresAt: timeText(expiresAt) };
}
