import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { Environment } from '../launcher/settings.ts';
import type { Output } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';

export interface CreateBusAccountOptions extends ServerOptions {
  readonly org: string;
  readonly clusterUid: string;
  readonly product: string;
}

/**
 * `platform admin bus-account create`: answers `{"id": 1, "busPubKey": "U…", "creds": "…"}`, the credentials shown this
 * once. @throws Fault
 */
export async function createBusAccount(
  options: CreateBusAccountOptions,
  environment: Environment,
  output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', options, environment);
  const { id, busPubKey, creds } = await service.createBusAccount({
    organization: options.org,
    clusterUid: options.clusterUid,
    productName: options.product,
  }, operatorCall());
  output.answer({ id, busPubKey, creds }, () => [`Bus account ${id} with the key ${busPubKey}, shown this once:`, creds.trimEnd()]);
}
