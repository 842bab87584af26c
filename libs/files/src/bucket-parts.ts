import { type Deadline, Unavailable } from '@platform/service';

interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Key of the file, perhaps with a query; empty for the bucket itself. */
  readonly target: string;
  readonly content?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request, and repeats it after failures that may be temporary. Returns undefined if the file is missing. */
export type AskBucket = (request: BucketRequest, deadline: Deadline) => Promise<Response | undefined>;

/** Size of a part of a multipart upload, in bytes. S3 refuses smaller parts, except the last one. */
const partBytes = 5 * 1024 * 1024;

/**
 * Writes content of unknown length, and returns its size. S3 needs the length of each request, so pieces are gathered
 * into parts. Content that fits into one part is sent in one request, longer content as a multipart upload. About one
 * part is in memory at a time.
 */
export async function writeParts(
  ask: AskBucket, key: string, content: AsyncIterable<Uint8Array>, deadline: Deadline,
): Promise<number> {
  const asked = async (...request: Parameters<AskBucket>) => {
    const response = await ask(...request);
    if (response === undefined) throw new Unavailable('an upload is missing in the bucket of files');
    return { text: await response.text(), tag: response.headers.get('etag') ?? '' };
  };
  let upload: string | undefined;
  const tags: string[] = [];
  let size = 0;
  try {
    for await (const { bytes, isLast } of inParts(content)) {
      size += bytes.length;
      if (isLast && upload === undefined) {
        await asked({ method: 'PUT', target: key, content: bytes }, deadline);
        return size;
      }
      upload ??= idIn((await asked({ method: 'POST', target: `${key}?uploads=` }, deadline)).text);
      const target = `${key}?partNumber=${tags.length + 1}&uploadId=${upload}`;
      tags.push((await asked({ method: 'PUT', target, content: bytes }, deadline)).tag);
    }
    const parts = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
    const list = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
    const { text } = await asked({ method: 'POST', target: `${key}?uploadId=${upload}`, content: list }, deadline);
    // S3 answers 200 before it knows whether the parts can be joined.
    if (text.includes('<Error>')) throw new Unavailable('the bucket of files refused an upload');
    return size;
  } catch (error) {
    // If the process dies here, removeOlder aborts the upload later.
    if (upload !== undefined) await abortUpload(ask, key, upload, deadline).catch(() => undefined);
    throw error;
  }
}

/** Aborts uploads that were started before a time. The processes that started the uploads must have ended. */
export async function abortUploadsBefore(
  ask: AskBucket, folder: string, before: Date, deadline: Deadline,
): Promise<void> {
  const next = { 'key-marker': 'NextKeyMarker', 'upload-id-marker': 'NextUploadIdMarker' };
  for await (const page of listPages(ask, { uploads: '', prefix: `${folder}/` }, next, deadline)) {
    for (const [, entry = ''] of page.matchAll(/<Upload>(.*?)<\/Upload>/gs)) {
      const begun = Date.parse(elementOf(entry, 'Initiated'));
      if (begun < before.getTime()) await abortUpload(ask, elementOf(entry, 'Key'), idIn(entry), deadline);
    }
  }
}

/**
 * Lists a bucket, in pages of at most 1,000 entries, as XML.
 * @param next the parameters of a page after the first, by the element of the page before that has the value
 */
export async function* listPages(
  ask: AskBucket, query: Readonly<Record<string, string>>, next: Readonly<Record<string, string>>, deadline: Deadline,
): AsyncGenerator<string> {
  let from: Record<string, string> = {};
  for (;;) {
    const target = `?${new URLSearchParams({ ...query, ...from })}`;
    const page = (await (await ask({ method: 'GET', target }, deadline))?.text()) ?? '';
    yield page;
    if (elementOf(page, 'IsTruncated') !== 'true') return;
    from = Object.fromEntries(Object.entries(next).map(([name, element]) => [name, plain(elementOf(page, element))]));
  }
}

/** Returns an empty text if there is no such element. */
export function elementOf(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
}

async function abortUpload(ask: AskBucket, key: string, upload: string, deadline: Deadline): Promise<void> {
  await (await ask({ method: 'DELETE', target: `${key}?uploadId=${upload}` }, deadline))?.arrayBuffer();
}

/** The id of an upload as part of a query. */
function idIn(xml: string): string {
  const id = plain(elementOf(xml, 'UploadId'));
  if (id === '') throw new Unavailable('the bucket of files did not start an upload');
  return encodeURIComponent(id);
}

function plain(xml: string): string {
  return xml.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

async function* inParts(content: AsyncIterable<Uint8Array>): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of content) {
    if (size >= partBytes) {
      yield { bytes: Buffer.concat(pieces), isLast: false };
      pieces = [];
      size = 0;
    }
    pieces.push(piece);
    size += piece.length;
  }
  yield { bytes: Buffer.concat(pieces), isLast: true };
}
