import type { CheckDriftRequest, CheckDriftResponse } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { findDrift } from '../projection/drift.ts';

const usualLimit = 100;

/** `platform doctor`. */
export function checkDrift(parts: Parts): Handler<CheckDriftRequest, CheckDriftResponse> {
  return async ({ organizationId, limit }, context) =>
    findDrift(parts, organizationId, limit <= 0 ? usualLimit : limit, context);
}
