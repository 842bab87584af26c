import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { areTexts, readKept, writePrivately } from './private-file.ts';

/** `run.json` in the state folder: the addresses of a running platform. Contains secrets, mode 0600. */
export interface RunFile {
  /** Root of the REST API, without `/api/v1`. */
  readonly baseUrl: string;
  /** Root URL of the marketplace listener. Present only in a marketplace deployment. */
  readonly listenerUrl?: string;
  /** Process id of the launcher (`platform up`). */
  readonly pid: number;
  readonly grpc: Readonly<Record<string, string>>;
  readonly postgres: string;
  readonly nats: string;
  readonly openfga: { readonly url: string; readonly storeId: string; readonly modelId: string };
  /** Paths of the PEM files for the operator's calls with mutual TLS. Present only if the setting `tls` is `auto`. */
  readonly tls?: { readonly ca: string; readonly certificate: string; readonly key: string };
  readonly admin: { readonly username: string; readonly token: string };
  /** Link that signs the administrator in once, in a browser. Present only in run mode `dev`. */
  readonly signInLink?: string;
  /** Folder into which mails are written. Present only if no SMTP server is set. */
  readonly mailFolder?: string;
}

export async function writeRunFile(home: string, run: RunFile): Promise<void> {
  await writePrivately(runFilePath(home), `${JSON.stringify(run, undefined, 2)}\n`);
}

/**
 * Returns the content of `run.json`; undefined if there is no file. A killed launcher leaves the file behind, so check
 * `runningLauncher` first.
 * @throws CommandFault if the file cannot be read or is damaged
 */
export async function readRunFile(home: string): Promise<RunFile | undefined> {
  return readKept(runFilePath(home), isRunFile);
}

function isRunFile(content: unknown): content is RunFile {
  const run = content as Partial<RunFile> | null | undefined;
  const { openfga, admin, tls, listenerUrl = '', mailFolder = '', signInLink = '' } = run ?? {};
  return areTexts(run?.baseUrl, listenerUrl, run?.postgres, run?.nats, mailFolder, signInLink)
    && areTexts(openfga?.url, openfga?.storeId, openfga?.modelId)
    && areTexts(admin?.username, admin?.token)
    && areTexts(run?.grpc?.['orgs-teams'], ...Object.values(run?.grpc ?? {}))
    && (tls === undefined || areTexts(tls?.ca, tls?.certificate, tls?.key));
}

export async function removeRunFile(home: string): Promise<void> {
  await rm(runFilePath(home), { force: true });
}

function runFilePath(home: string): string {
  return join(home, 'run.json');
}
