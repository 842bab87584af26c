import type { Database } from '@platform/postgres';
import type { DeleteContractRequest, DeleteContractResponse } from '@platform/proto/contracts/v1/owners';
import type { Handler } from '@platform/rpc';
import { idsFromFields } from '../convert.ts';
import { remove } from '../store/contracts.ts';

export function deleteContract(database: Database): Handler<DeleteContractRequest, DeleteContractResponse> {
  return async (request, { deadline }) => {
    const { id } = idsFromFields({ id: request.id });
    return { deleted: await remove(database, id, { deadline }) };
  };
}
