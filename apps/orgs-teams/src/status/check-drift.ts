import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import { invalidValue } from '@platform/values';
import type { Parts } from '../parts.ts';
import { findDrift } from '../projection/drift.ts';

const usualLimit = 100;

/** `platform doctor`. */
export function checkDrift(parts: Parts): Handler<typeof AdminServiceService.checkDrift> {
  return async ({ organizationId, limit }, context) => {
    if (organizationId < 0) {
      throw invalidValue([{ path: 'organizationId', message: 'must be the id of an organization, or 0 for all' }]);
    }
    return findDrift(parts, organizationId, limit <= 0 ? usualLimit : limit, context);
  };
}
