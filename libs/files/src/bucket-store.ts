import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { type Deadline, DeadlineExceeded, repeatUntil, type Secret, Unavailable } from '@platform/service';
import { checkKey, type FileStore } from './file-store.ts';

/** Where an S3-compatible server is, and how it is signed in to. */
export interface BucketOptions {
  /** Such as `https://s3.eu-central-1.amazonaws.com`; the bucket is addressed by path. */
  readonly endpoint: string;
  readonly region: string;
  /** Must exist. */
  readonly bucket: string;
  readonly accessKey: Secret;
  readonly secretKey: Secret;
}

type Verb = 'PUT' | 'GET' | 'DELETE';

/** Putting the same again, reading and removing are all harmless to repeat. */
const attempts = 3;

/** Files in a bucket of an S3-compatible server. Nothing is asked of it before the first file. */
export function openBucketStore(options: BucketOptions): FileStore {
  const { endpoint, region, bucket, accessKey, secretKey } = options;
  const base = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`;
  const client = new AwsClient({
    accessKeyId: accessKey.reveal(), secretAccessKey: secretKey.reveal(), service: 's3', region, retries: 0,
  });

  /** Answers the body, or undefined where there is no such file. */
  async function ask(verb: Verb, key: string, deadline: Deadline, content?: Uint8Array): Promise<Buffer | undefined> {
    checkKey(key);
    return repeatUntil(
      async () => {
        // Signed anew each time: a signature holds its time. The server compares the hash with what has arrived.
        const request = await client.sign(`${base}/${key}`, {
          method: verb,
          headers: { 'x-amz-content-sha256': createHash('sha256').update(content ?? '').digest('hex') },
          ...(content === undefined ? {} : { body: Buffer.from(content) }),
        });
        return answerOf(await fetch(request, { redirect: 'error', signal: deadline.signal }));
      },
      { attempts, first: 50, most: 500, signal: deadline.signal, again: (error) => !(error instanceof Refused) },
    ).catch((cause: unknown) => {
      if (deadline.signal.aborted) throw new DeadlineExceeded('the file store');
      throw new Unavailable('the bucket of files cannot be used', { cause });
    });
  }

  return {
    put: async (key, content, deadline) => {
      await ask('PUT', key, deadline, content);
    },
    get: (key, deadline) => ask('GET', key, deadline),
    remove: async (key, deadline) => {
      await ask('DELETE', key, deadline);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** The server has understood, and will say the same again. */
class Refused extends Error {
  override readonly name = 'Refused';
}

async function answerOf(response: Response): Promise<Buffer | undefined> {
  const body = Buffer.from(await response.arrayBuffer());
  if (response.ok) return body;
  const code = /<Code>(\w+)<\/Code>/.exec(body.toString('utf8'))?.[1];
  if (response.status === 404 && code === 'NoSuchKey') return undefined;
  const told = `HTTP ${response.status}${code === undefined ? '' : ` ${code}`}`;
  throw response.status >= 500 || response.status === 429 ? new Error(told) : new Refused(told);
}
