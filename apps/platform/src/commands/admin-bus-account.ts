import { AdminServiceService, type BusAccountDetails } from '@platform/proto/orgs/v1/admin';
import type { Environment } from '../settings.ts';
import { columns, facts, type Output, timeText } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';
import { allParts, refuseMissing } from './lists.ts';

/**
 * `platform admin bus-account create`: creates message-bus credentials for a product in a cluster. With `--json`,
 * prints `{"id": 1, "busPubKey": "U…", "creds": "…"}`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function createBusAccount(
  { org, clusterUid, product, ...server }: ServerOptions & Readonly<Record<'org' | 'clusterUid' | 'product', string>>,
  environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  const request = { organization: org, clusterUid, productName: product };
  const { id, busPubKey, creds } = await service.createBusAccount(request, operatorCall());
  output.answer({ id, busPubKey, creds }, () => [
    `Bus account ${id}, key ${busPubKey}. The credentials are shown only now:`, creds.trimEnd(),
  ]);
}

/**
 * `platform admin bus-account list`: prints bus accounts by ascending id, without credentials. With `--json`, prints
 * `{"accounts": […]}`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function listBusAccounts(
  { org: organization, ...server }: ServerOptions & { readonly org?: string }, environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  const accounts = await allParts((after) => service.listBusAccounts({ organization, after }, operatorCall()),
    (part) => part.accounts.map(shownAccount));
  output.answer({ accounts }, () => columns([
    ['ID', 'ORGANIZATION', 'CLUSTER', 'PRODUCT', 'CREATED', 'REVOKED'],
    ...accounts.map(({ id, organization: owner, clusterUid, productName, createdAt = '', revokedAt = '' }) =>
      [String(id), owner, clusterUid, productName, createdAt, revokedAt]),
  ]));
}

/**
 * `platform admin bus-account show`: prints one bus account. With `--json`, prints an account as in `bus-account list`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function showBusAccount(
  id: number, server: ServerOptions, environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  const { accounts: [found] } = await service.listBusAccounts({ id }, operatorCall());
  const account = shownAccount(refuseMissing(found, `bus account ${id}`, 'bus-account list'));
  output.answer(account, () => facts([
    ['id', account.id], ['organization', account.organization], ['cluster', account.clusterUid],
    ['product', account.productName], ['key', account.busPubKey], ['created', account.createdAt],
    ['revoked', account.revokedAt ?? 'no'],
  ]));
}

function shownAccount({ createdAt, revokedAt, ...account }: BusAccountDetails) {
  return { ...account, createdAt: timeText(createdAt), revokedAt: timeText(revokedAt) };
}
