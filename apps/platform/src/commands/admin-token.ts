import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { Environment } from '../launcher/settings.ts';
import type { Output } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';

export interface CreateTokenOptions extends ServerOptions {
  /** Exactly one of `user` and `org` is given. */
  readonly user?: string;
  readonly org?: string;
  readonly name: string;
  /** Seconds; absent: for ever. */
  readonly expires?: number;
}

/** `platform admin token create`: answers `{"id": 1, "token": "…"}`, shown this once. @throws Fault */
export async function createToken(
  options: CreateTokenOptions,
  environment: Environment,
  output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', options, environment);
  const { id, token } = await service.createToken({
    user: options.user ?? '',
    organization: options.org ?? '',
    name: options.name,
    expiresInSeconds: options.expires ?? 0,
  }, operatorCall());
  output.answer({ id, token }, () => [`Token ${id}, shown this once:`, token]);
}

/** `platform admin token revoke`: answers `{"revoked": true}`. @throws Fault NOT_FOUND */
export async function revokeToken(
  id: number,
  server: ServerOptions,
  environment: Environment,
  output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  await service.revokeToken({ id }, operatorCall());
  output.answer({ revoked: true }, () => [`Token ${id} revoked.`]);
}
