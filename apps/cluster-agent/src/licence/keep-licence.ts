import { randomBytes } from 'node:crypto';
import { access, constants, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { readBounded } from '@platform/outbound';
import { type Deadline, deadlineIn, loop, type OpenService, type Secret } from '@platform/service';
import { isDue, type Licence, readLicence } from './licence.ts';

interface LicenceParts {
  readonly service: OpenService;
  /** Path of the licence (PEM). */
  readonly file: string;
  readonly clusterUid: string;
  readonly owner: string;
  /** Address of the platform. If `baseUrl` or `token` is missing, the licence is not renewed. */
  readonly baseUrl: string | undefined;
  readonly token: Secret | undefined;
  /** Called after another licence has replaced the current licence. */
  renewed(): void;
}

const lookMs = 3_600_000;
const issueMs = 30_000;
/** Maximum size of an answer of the platform, in bytes. */
const mostBytes = 256 * 1024;

/**
 * Reads the licence from its file, and renews the licence with `POST /license/issue`. Reads the file again each hour,
 * because an operator may replace the file. The agent still reports under an expired licence.
 * @returns a function that returns the licence under which the agent reports now
 * @throws Error if the file cannot be read, or contains no licence of this cluster
 */
export async function openLicence(parts: LicenceParts): Promise<() => Licence> {
  const { service: { log, stack }, file, baseUrl, token } = parts;
  let current = await readFileOf(parts);
  const take = (licence: Licence): void => {
    const isAnother = licence.id !== current.id;
    current = licence;
    if (isAnother) parts.renewed();
  };
  stack.use(loop('licence', lookMs, async (stopping) => {
    take(await readFileOf(parts));
    if (!isDue(current, Date.now())) return;
    if (baseUrl === undefined || token === undefined) {
      const notAfter = new Date(current.notAfter);
      log.warn({ notAfter }, 'the licence must be renewed, but agent.token or http.baseURL is not set');
      return;
    }
    // Do not request a licence that could not be stored.
    await access(dirname(file), constants.W_OK).catch((cause: unknown) => {
      throw new Error(`the licence cannot be renewed: the folder of ${file} cannot be written to`, { cause });
    });
    const licence = await issue(parts, baseUrl, token, current.features, deadlineIn(issueMs, stopping));
    take(await readFileOf(parts));
    // A new licence does not replace a licence that is valid for longer, such as an offline licence.
    if (licence.notAfter < current.notAfter) return;
    await replaceFile(file, licence.pem);
    take(licence);
    log.info({ licence: licence.id, notAfter: new Date(licence.notAfter) }, 'the licence is renewed');
  }, log));
  return () => current;
}

async function readFileOf({ file, clusterUid }: LicenceParts): Promise<Licence> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`the licence ${file} cannot be read`, { cause });
  });
  return checked(text, file, clusterUid);
}

function checked(text: string, where: string, clusterUid: string): Licence {
  let licence: Licence;
  try {
    licence = readLicence(text);
  } catch (cause) {
    throw new Error(`${where} contains no licence (PEM)`, { cause });
  }
  if (licence.clusterUid === clusterUid) return licence;
  throw new Error(`${where} contains the licence of another cluster: ${licence.clusterUid}`);
}

/** Requests a licence from the platform. @throws Error if the agent receives no licence of its cluster */
async function issue(
  { owner, clusterUid }: LicenceParts, baseUrl: string, token: Secret, features: readonly string[], deadline: Deadline,
): Promise<Licence> {
  const answer = await fetch(`${baseUrl}/api/v1/license/issue?org=${encodeURIComponent(owner)}`, {
    method: 'POST', redirect: 'error', signal: deadline.signal,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token.reveal()}` },
    body: JSON.stringify({ cluster: clusterUid, features }),
  });
  if (answer.status === 401) {
    await answer.body?.cancel();
    throw new Error('the platform does not accept agent.token, which may be expired or revoked. Give the agent '
      + 'another token. If `platform agent` created the refused token, remove the file `token` from the folder '
      + 'that agent.state names, and restart the agent');
  }
  const text = await textOf(answer);
  if (answer.status !== 200) {
    throw new Error(`the platform issued no licence: status ${answer.status} ${memberOf(text, 'code')}`);
  }
  return checked(Buffer.from(memberOf(text, 'license'), 'base64').toString(), 'the answer of the platform', clusterUid);
}

/** Reads the body of an answer. @throws Error if the body is too long or cannot be read */
async function textOf({ status, body }: Response): Promise<string> {
  if (body === null) return '';
  try {
    return (await readBounded(Readable.fromWeb(body as ReadableStream<Uint8Array>), mostBytes)).toString();
  } catch (cause) {
    throw new Error(`the answer of the platform with status ${status} cannot be read`, { cause });
  }
}

/**
 * Returns a member of an answer as text. Returns an empty text if the member is missing, or if the answer is not JSON.
 * Throws no parser error, because its message may quote the answer.
 */
function memberOf(text: string, name: 'code' | 'license'): string {
  try {
    return String((JSON.parse(text) as Record<string, unknown>)[name] ?? '');
  } catch {
    return '';
  }
}

/** Replaces a file atomically. The new file gets the mode of the old one, less the umask. */
async function replaceFile(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const { mode } = await stat(file);
  try {
    await writeFile(draft, content, { flag: 'wx', mode: mode & 0o777, flush: true });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
