import { createHash } from 'node:crypto';
import { addAbortSignal, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import { type Deadline, DeadlineExceeded, repeatUntil, Unavailable } from '@platform/service';
import { abortUploadsBefore, type AskBucket, elementOf, listPages, writeParts } from './bucket-parts.ts';
import { checkKey, type FileStore } from './file-store.ts';
import type { BucketKeys, ReadKeys } from './web-identity.ts';

export interface BucketOptions {
  /** Address of the server without the bucket, such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly region: string;
  /** The bucket must exist. */
  readonly bucket: string;
  readonly keys: ReadKeys;
}

/** Creates a store in a bucket of an S3-compatible server. Sends no request yet. */
export function openBucketStore(options: BucketOptions): FileStore {
  const { endpoint, region, bucket, keys } = options;
  const base = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`;
  let client: { readonly with: BucketKeys; readonly aws: AwsClient } | undefined;

  async function openClient(deadline: Deadline): Promise<AwsClient> {
    const now = await keys(deadline);
    if (client?.with === now) return client.aws;
    const { accessKey, secretKey, sessionToken } = now;
    const aws = new AwsClient({
      accessKeyId: accessKey.reveal(),
      secretAccessKey: secretKey.reveal(),
      ...(sessionToken === undefined ? {} : { sessionToken: sessionToken.reveal() }),
      service: 's3', region, retries: 0,
    });
    client = { with: now, aws };
    return aws;
  }

  const ask: AskBucket = ({ method, target, content, headers }, deadline) => repeatUntil(
    async () => {
      // Sign each attempt again, because a signature contains its time.
      const request = await (await openClient(deadline)).sign(`${base}/${target}`, {
        method,
        headers: { ...headers, 'x-amz-content-sha256': createHash('sha256').update(content ?? '').digest('hex') },
        ...(content === undefined ? {} : { body: content as Uint8Array<ArrayBuffer> }),
      });
      return found(await fetch(request, { redirect: 'error', signal: deadline.signal }));
    },
    { attempts: 3, first: 50, most: 500, signal: deadline.signal, again: (error) => !(error instanceof Refused) },
  ).catch((cause: unknown) => {
    if (deadline.signal.aborted) throw new DeadlineExceeded('the file store');
    throw new Unavailable('the bucket of files cannot be used', { cause });
  });

  async function read(key: string, deadline: Deadline) {
    checkKey(key);
    const response = await ask({ method: 'GET', target: key }, deadline);
    if (!response?.body) return undefined;
    const content = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
    return { size: Number(response.headers.get('content-length')), content: addAbortSignal(deadline.signal, content) };
  }

  async function remove(key: string, deadline: Deadline): Promise<void> {
    checkKey(key);
    await finish(await ask({ method: 'DELETE', target: key }, deadline));
  }

  return {
    put: async (key, content, deadline) => {
      checkKey(key);
      await finish(await ask({ method: 'PUT', target: key, content }, deadline));
    },
    get: async (key, deadline) => {
      const file = await read(key, deadline);
      return file && (await buffer(file.content));
    },
    write: async (key, content, deadline) => {
      checkKey(key);
      return writeParts(ask, key, content, deadline);
    },
    read,
    move: async (from, to, deadline) => {
      checkKey(from);
      checkKey(to);
      const source = `/${encodeURIComponent(bucket)}/${from}`;
      const copied = await ask({ method: 'PUT', target: to, headers: { 'x-amz-copy-source': source } }, deadline);
      if (copied === undefined) return (await ask({ method: 'HEAD', target: to }, deadline)) !== undefined;
      // S3 answers 200 before it knows whether it can copy the file.
      if ((await copied.text()).includes('<Error>')) throw new Unavailable('the bucket of files refused a copy');
      await remove(from, deadline);
      return true;
    },
    remove,
    removeOlder: async (folder, before, deadline) => {
      checkKey(folder);
      await abortUploadsBefore(ask, folder, before, deadline);
      const old = await keysBefore(ask, folder, before, deadline);
      for (const key of old) await remove(key, deadline);
      return old.length;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Returns the keys of the files that were stored directly in a folder before a time. */
async function keysBefore(ask: AskBucket, folder: string, before: Date, deadline: Deadline): Promise<string[]> {
  const query = { 'list-type': '2', prefix: `${folder}/`, delimiter: '/' };
  const old: string[] = [];
  for await (const page of listPages(ask, query, { 'continuation-token': 'NextContinuationToken' }, deadline)) {
    for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      if (Date.parse(elementOf(entry, 'LastModified')) < before.getTime()) old.push(elementOf(entry, 'Key'));
    }
  }
  return old;
}

/** The server refused the request. The request is not repeated. */
class Refused extends Error {
  override readonly name = 'Refused';
}

async function found(response: Response): Promise<Response | undefined> {
  if (response.ok) return response;
  const body = await response.text();
  const code = elementOf(body, 'Code');
  // An answer to HEAD has no body, so the code is missing.
  if (response.status === 404 && (code === 'NoSuchKey' || body === '')) return undefined;
  const said = `HTTP ${response.status} ${code}`.trim();
  throw response.status >= 500 || response.status === 429 ? new Error(said) : new Refused(said);
}

/** Reads the rest of an answer, so that its connection can be used again. */
async function finish(response: Response | undefined): Promise<void> {
  await response?.arrayBuffer();
}
