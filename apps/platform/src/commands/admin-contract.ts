import { ContractOwnerServiceService } from '@platform/proto/contracts/v1/owners';
import type { Environment } from '../settings.ts';
import { columns, dayText, type Output } from '../output.ts';
import { findAccount } from './find-account.ts';
import { openFollowers } from './followers.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';
import { allParts } from './lists.ts';

/**
 * `platform admin contract list`: prints contracts by ascending id. With `--json`, prints `{"contracts": [{"id",
 * "owner", "name", "product", "start", "end", "revoked", "clusters": [UUID], "subscription"?}]}`. `start` and `end` are
 * in Unix seconds.
 * @throws Fault, for example NOT_FOUND for an unknown owner; CommandFault, ConfigError
 */
export async function listContracts(
  { owner: only, ...server }: ServerOptions & { readonly owner?: string }, environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(ContractOwnerServiceService, 'contracts-licensing', server, environment);
  const contracts = await allParts((after) => service.listOwnedContracts({ owner: only, after }, operatorCall()),
    (part) => part.contracts);
  output.answer({ contracts }, () => contracts.length === 0
    ? ['There are no contracts.']
    : columns(contracts.map(({ id, owner, name, product, end, revoked, clusters }) => [
      String(id), owner, name, product, revoked ? 'revoked' : `until ${dayText(end)}`, `${clusters.length} clusters`,
    ])));
}

/**
 * `platform admin contract move`: moves a contract to another account. With `--json`, prints `{"id","name","owner"}`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function moveContract(
  contractId: number, { to, ...server }: ServerOptions & { readonly to: string }, environment: Environment,
  output: Output,
): Promise<void> {
  const account = await findAccount(to, server, environment);
  const service = 'contracts-licensing';
  await using contracts = await connectOperator(ContractOwnerServiceService, service, server, environment);
  await using followers = await openFollowers(['billing-dashboard'], server, environment);
  const { id, name } = await contracts.moveContract({ id: contractId, ownerId: account.id }, operatorCall());
  const done = `Moved contract ${id} (${name}) to ${account.name}`;
  await followers.follow(service, done);
  output.answer({ id, name, owner: account.name }, () => [`${done}.`]);
}
