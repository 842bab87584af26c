import { setTimeout as pause } from 'node:timers/promises';
import type { UsageServiceService } from '@platform/proto/billing/v1/usage';
import type { DownloadResponse } from '@platform/proto/files/v1/files';
import type { Handler } from '@platform/rpc';
import { shrink } from '@platform/service';
import type { Parts } from '../parts.ts';
import { readMonth } from '../usage/month.ts';
import { readMonthDocument } from './read-month-document.ts';

/** Maximum size of one piece of a document, in bytes, because the size of messages is limited. */
const pieceBytes = 256 * 1024;
/**
 * Interval of empty pieces while the document is created, in milliseconds. Without them, a long silence would end the
 * stream (ADR 0100).
 */
const beatMs = 10_000;
/** Time limit for reading the branding, in milliseconds. */
const letterheadMs = 10_000;
const none = Buffer.alloc(0);

/** GET /dashboard/summary/{year}/{month}/download (open-points 7.4). */
export function downloadMonth(
  { database, settings, typeset }: Pick<Parts, 'database' | 'settings' | 'typeset'>,
): Handler<typeof UsageServiceService.downloadMonth> {
  return async function* (request, context): AsyncGenerator<DownloadResponse, void, undefined> {
    const { account, deadline } = context;
    const month = readMonth(request);
    const read = await readMonthDocument(database, month, { account, deadline });
    const letterhead = await settings.getLetterhead({}, { ...context, deadline: shrink(deadline, letterheadMs) });
    const typesetting = typeset({ ...read, letterhead }, deadline);
    const filename = `usage-${account.name}-${month.firstDay.slice(0, 7)}.pdf`;
    let pdf: Uint8Array | undefined;
    do {
      pdf = await Promise.race([typesetting, pause(beatMs, undefined, { ref: false })]);
      yield { body: { contentType: 'application/pdf', data: none, extensions: [] }, filename, size: pdf?.length };
    } while (pdf === undefined);
    const bytes = Buffer.from(pdf);
    for (let start = 0; start < bytes.length; start += pieceBytes) {
      const data = bytes.subarray(start, start + pieceBytes);
      yield { body: { contentType: '', data, extensions: [] }, filename: '', size: undefined };
    }
  };
}
