import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { resealSyncTokens } from '../store/sync-tokens.ts';

/** Rows of one transaction: few enough for those who wait behind it. */
const batch = 200;

/** `platform admin keys rotate`. What is interrupted is taken up again by the next call. */
export function rotateKeys({ sealer, write, log }: Parts): Handler<typeof AdminServiceService.rotateKeys> {
  return async (_request, context) => {
    const done = { resealed: 0, unreadable: 0 };
    for (let after: number | undefined = 0; after !== undefined;) {
      const from: number = after;
      const part = await write(context, [], async (work) => {
        const outcome = await resealSyncTokens(work, sealer, from, batch);
        if (outcome.resealed > 0) {
          const { resealed } = outcome;
          work.audit({ action: 'keys.rotate', object: `key:${sealer.keyId}`, details: { table: 'sync_token', resealed } });
        }
        return outcome;
      });
      done.resealed += part.resealed;
      done.unreadable += part.unreadable;
      after = part.after;
    }
    if (done.unreadable > 0) {
      log.error({ ...done, keyId: sealer.keyId }, 'secrets that none of the encryption keys opens were left');
    }
    return done;
  };
}
