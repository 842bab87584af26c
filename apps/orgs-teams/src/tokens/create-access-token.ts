import { relationsOfSystemAdmin } from '@platform/relations';
import type { TokenServiceService } from '@platform/proto/orgs/v1/token';
import type { Handler } from '@platform/rpc';
import { controlCharacterProblem, invalidValue, lengthProblem, Violations } from '@platform/values';
import { findSystemAdmin } from '../accounts/targets.ts';
import { systemAdminMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { refuseEscalation, relationsOfCaller } from '../roles/escalation.ts';
import { newToken, tokenDigest } from '../standing/access-token.ts';
import { lock } from '../write/locks.ts';
import { endOf, refuseMoreThanOwn, scopesOf } from './requested-token.ts';
import { insertToken } from './store.ts';

/** The last Unix second of the year 9999. RFC 3339 cannot represent later times. */
const lastSecond = 253_402_300_799;

/**
 * POST /orgs/{orgname}/tokens/access-tokens/ (open-points 18.1): creates a token of the organization's system admin.
 */
export function createAccessToken(
  { config, guard, write }: Parts,
): Handler<typeof TokenServiceService.createAccessToken> {
  return async (request, context) => {
    const { name = '', expDate } = request;
    const violations = new Violations();
    violations.note('name', lengthProblem(name, { least: 1, most: 100 }) ?? controlCharacterProblem(name));
    const scopes = scopesOf(violations, request.scopes);
    violations.refuse();
    const end = endOf(config, dateOf(expDate), 'expDate');
    refuseMoreThanOwn(context.caller, scopes, end);
    refuseEscalation(await relationsOfCaller(guard, context), relationsOfSystemAdmin);
    const token = newToken();
    const digest = tokenDigest(config.tokenKey, token);
    const organizationId = context.account.id;
    const { id, uid } = await write(context, [lock.permission(organizationId)], async (work) => {
      const accountId = await findSystemAdmin(work, organizationId);
      if (accountId === undefined) throw systemAdminMissing();
      const inserted = await insertToken(work, {
        ...digest, accountId, accountKind: 'system_admin', name, scopes, end, clusterId: null,
      });
      if (inserted === undefined) throw systemAdminMissing();
      work.audit({
        action: 'token.create', object: `token:${inserted}`, organizationId, subjectIds: [accountId],
        details: { accountId, name, scopes },
      });
      return { id: inserted, uid: accountId };
    });
    const now = Math.floor(Date.now() / 1000);
    return {
      id, uid, name, token, tokenLastEight: digest.lastEight, createdAt: now, updatedAt: now,
      hasRecentActivity: false, hasUsed: false, expDate: end === null ? 0 : Math.floor(end.getTime() / 1000),
      scopes: [...scopes],
    };
  };
}

/**
 * @param seconds Unix time at which the token expires; 0: never
 * @returns null for 0; undefined without `seconds`, so that the token gets the default lifetime
 * @throws Fault INVALID_VALUE
 */
function dateOf(seconds: number | undefined): Date | null | undefined {
  if (seconds === undefined) return undefined;
  if (seconds < 0 || seconds > lastSecond) {
    const message = `must be 0 (never expires) or a Unix time from 1 to ${lastSecond} seconds`;
    throw invalidValue([{ path: 'expDate', message }]);
  }
  return seconds === 0 ? null : new Date(seconds * 1000);
}
