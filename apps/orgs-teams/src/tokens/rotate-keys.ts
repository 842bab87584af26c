import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import { reseal } from '@platform/writes';
import type { Parts } from '../parts.ts';
import { sealedSyncTokens } from './sync-tokens.ts';

/** `platform admin keys rotate`. After an interruption the next call goes on with the rest. */
export function rotateKeys({ sealer, write, log }: Parts): Handler<typeof AdminServiceService.rotateKeys> {
  return async (_request, context) => {
    const counts = await reseal(write, context, sealer, sealedSyncTokens);
    if (counts.unreadable > 0) {
      log.error({ ...counts, keyId: sealer.keyId }, 'none of the encryption keys opens some secrets; they were left');
    }
    return counts;
  };
}
