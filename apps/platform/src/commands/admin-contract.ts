import { ContractOwnerServiceService, type ListedContract } from '@platform/proto/contracts/v1/owners';
import type { Environment } from '../launcher/settings.ts';
import { columns, type Output } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from './operator-client.ts';

export interface ContractListOptions extends ServerOptions {
  readonly owner?: string;
}

/**
 * `platform admin contract list`: answers `{"contracts": [{"id", "owner", "name", "product", "start", "end", "revoked",
 * "clusters": [UUID], "subscription"?}]}`, by ascending id. @throws Fault NOT_FOUND for an owner that does not exist
 */
export async function listContracts(
  options: ContractListOptions, environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(
    ContractOwnerServiceService, 'contracts-licensing', options, environment,
  );
  const contracts: ListedContract[] = [];
  for (let after: string | undefined; ;) {
    const part = await service.listOwnedContracts({ owner: options.owner, after }, operatorCall());
    contracts.push(...part.contracts);
    after = part.next;
    if (after === undefined) break;
  }
  output.answer({ contracts }, () => contracts.length === 0
    ? ['There are no contracts.']
    : columns(contracts.map(({ id, owner, name, product, end, revoked, clusters }) => [
      String(id), owner, name, product, revoked ? 'revoked' : `until ${day(end)}`, `${clusters.length} clusters`,
    ])));
}

/** `2026-11-21` */
function day(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 10);
}
