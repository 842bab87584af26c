import type { Transaction } from '@platform/postgres';
import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import { resealAll, type ResealedBatch, sealedAnswers } from '@platform/writes';
import type { Parts } from '../parts.ts';
import { sealedWebhookSecrets } from '../webhooks/store.ts';
import { sealedSyncTokens } from './sync-tokens.ts';

/**
 * `platform admin keys rotate`: encrypts stored secrets again with the first of `secrets.encryptionKeys`. After an
 * interruption, the next call continues with the remaining rows.
 */
export function rotateKeys({ sealer, write, log }: Parts): Handler<typeof AdminServiceService.rotateKeys> {
  return async (_request, context) => {
    const audited = (act: (work: Transaction) => Promise<ResealedBatch>) => write(context, [], async (work) => {
      const part = await act(work);
      const { resealed } = part;
      if (resealed > 0) work.audit({ action: 'keys.rotate', object: `key:${sealer.keyId}`, details: { resealed } });
      return part;
    });
    const counts = await resealAll(audited, sealer, [sealedSyncTokens, sealedWebhookSecrets, sealedAnswers]);
    if (counts.unreadable > 0) {
      log.error({ ...counts, keyId: sealer.keyId }, 'some secrets stay unchanged: no configured key decrypts them');
    }
    return counts;
  };
}
