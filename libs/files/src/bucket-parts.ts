import { type Deadline, Unavailable } from '@platform/service';

interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** The key of a file, a query for the bucket, or a key with a query. */
  readonly target: string;
  readonly content?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request, and repeats it after failures that may be temporary. Returns undefined if the file is missing. */
export type AskBucket = (request: BucketRequest, deadline: Deadline) => Promise<Response | undefined>;

/** Minimum size of a part of a multipart upload, except the last part, in bytes. S3 refuses smaller parts. */
const partBytes = 5 * 1024 * 1024;

/**
 * Writes content of unknown length. Returns its size in bytes. S3 needs the length of each request, so the content is
 * sent in parts. A single part is sent in one request. Several parts are sent as a multipart upload.
 */
export async function writeParts(
  ask: AskBucket, key: string, content: AsyncIterable<Uint8Array>, deadline: Deadline,
): Promise<number> {
  const asked = async (...request: Parameters<AskBucket>) => {
    const response = await ask(...request);
    if (response === undefined) throw new Unavailable('the bucket of files answered an upload with HTTP 404');
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
    // If the process ends before this abort, or if the abort fails, `removeOlder` aborts the upload later.
    if (upload !== undefined) await abortUpload(ask, key, upload, deadline).catch(() => undefined);
    throw error;
  }
}

/**
 * Aborts unfinished uploads in a folder and its subfolders, if they started before a time. Choose a time so early that
 * no process still uses these uploads.
 */
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
 * Lists a bucket, one XML page at a time.
 * @param next maps each query parameter for the next page to the name of an XML element. In the current page, this
 *   element contains the value of the parameter
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

/** Returns the text of the first element `<name>` that contains only text. Returns an empty text if there is none. */
export function elementOf(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
}

async function abortUpload(ask: AskBucket, key: string, upload: string, deadline: Deadline): Promise<void> {
  await (await ask({ method: 'DELETE', target: `${key}?uploadId=${upload}` }, deadline))?.arrayBuffer();
}

/** Returns the upload id from an answer, encoded for a query. @throws Unavailable if the answer contains none */
function idIn(xml: string): string {
  const id = plain(elementOf(xml, 'UploadId'));
  if (id === '') throw new Unavailable('the bucket of files did not return the id of an upload');
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
