import { notFound } from '@platform/faults';
import { pageOf } from '@platform/lists';
import { type Database, sql } from '@platform/postgres';
import type { ContractOwnerServiceService } from '@platform/proto/contracts/v1/owners';
import type { Handler } from '@platform/rpc';
import { secondsOf } from '../values.ts';
import { readAllContracts } from './read-contracts.ts';

const mostContracts = 1_000;

/** Lists contracts for `platform admin contract list`. */
export function listOwnedContracts(database: Database): Handler<typeof ContractOwnerServiceService.listOwnedContracts> {
  return async ({ owner, after }, { deadline }) => {
    const account = owner === undefined ? undefined : await database.maybeOne(sql<{ id: number }>`
      select id from account where lower(slug) = lower(${owner}) and not deleted`, { deadline });
    if (owner !== undefined && account === undefined) throw notFound(`there is no account ${owner}`);
    const page = pageOf({ after }, { largestUnpaged: mostContracts });
    const { items, next } = await readAllContracts(database, account?.id, page, deadline);
    const contracts = items.map((row) => ({
      id: row.id, owner: row.ownerSlug, name: row.name, product: row.product, start: secondsOf(row.startsAt),
      end: secondsOf(row.endsAt), revoked: row.revokedAt !== null, clusters: row.clusters[1] ?? [],
      subscription: row.subscription ?? undefined,
    }));
    return { contracts, next };
  };
}
