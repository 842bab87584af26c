import { basename } from 'node:path/posix';
import {
  createFileLinks, createUploads, download, type DownloadPiece, type DownloadRequest, extensionOf, type FileStore,
  type UploadRequest,
} from '@platform/files';
import type { Schedule } from '@platform/jobs';
import { type Database, sql } from '@platform/postgres';
import type { File } from '@platform/proto/options';
import type { CallContext } from '@platform/rpc';
import { baseUrlOf, type Deadline } from '@platform/service';
import type { Config } from '../config.ts';
import { announceFile, documentPath, findDocument, readUnusedFiles } from './store.ts';

/** Name of the schedule that removes files that no contract has. */
export const removeDocuments = 'remove-documents';

/** How long a link is valid, in seconds (spec §8). */
const linkSeconds = 30 * 60;

/** Documents of contracts, stored as files. A contract's row has the name of the contract's document (ADR 0112). */
export interface Documents {
  /** Receives the file of POST /contracts or PUT /contracts/{id} (open-points 5.1), before the contract is written. */
  receive(requests: AsyncIterable<UploadRequest>, context: CallContext): Promise<{ upload: string; size: number }>;
  /**
   * Stores a received file as a document that no contract has yet. Call this before the transaction that assigns the
   * document to a contract. The call may be repeated.
   * @returns the name of the document: a UUID and the extension of the file
   * @throws Fault VALIDATION_FAILED when the upload is unknown, has expired, or belongs to another caller
   */
  keep(file: File, context: CallContext): Promise<string>;
  link(contractId: number, document: string): string;
  /** GET /files/… for a link (open-points 5.1, 5.7). @throws Fault FORBIDDEN, NOT_FOUND */
  download(request: DownloadRequest, context: CallContext): AsyncIterable<DownloadPiece>;
  readonly schedule: Schedule;
}

export function createDocuments(database: Database, store: FileStore, config: Config): Documents {
  const uploads = createUploads({ store, keys: config.encryptionKeys });
  const links = createFileLinks(baseUrlOf(config), config.encryptionKeys);
  const keyOf = async (path: string, deadline: Deadline) => {
    const [, contractId, document] = /^contracts\/([1-9][0-9]{0,15})\/([^/]+)$/.exec(path) ?? [];
    if (document === undefined) return undefined;
    const current = await findDocument(database, Number(contractId), undefined, deadline);
    return current === document ? fileKey(document) : undefined;
  };
  return {
    receive: (requests, context) => uploads.receive(requests, context),
    keep: async ({ upload }, context) => {
      const file = uploads.open(upload, context);
      // The name contains the UUID of the upload, so that a repeated call stores no second file.
      const document = `${basename(file.key)}${extensionOf(file.filename)}`;
      await announceFile(database, document, context.deadline);
      await uploads.keep(file, fileKey(document), context.deadline);
      return document;
    },
    link: (contractId, document) =>
      links.sign(documentPath(contractId, document), Math.floor(Date.now() / 1000) + linkSeconds),
    download: (request, context) => download(request, context, { store, links, keyOf }),
    schedule: {
      name: removeDocuments,
      everyMs: 3_600_000,
      run: async ({ deadline }) => {
        await uploads.removeAbandoned(deadline);
        await removeUnused(database, store, deadline);
      },
    },
  };
}

function fileKey(document: string): string {
  return `documents/${document}`;
}

/** Removes the files of {@link readUnusedFiles}. May be repeated after an interruption. */
async function removeUnused(database: Database, store: FileStore, deadline: Deadline): Promise<void> {
  for (;;) {
    const names = await readUnusedFiles(database);
    for (const name of names) {
      deadline.signal.throwIfAborted();
      await store.remove(fileKey(name), deadline);
      await database.execute(sql`delete from document_file where name = ${name}`);
    }
    if (names.length === 0) return;
  }
}
