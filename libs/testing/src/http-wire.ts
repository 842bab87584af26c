import { httpAnswer, type HeaderLine, type HttpAnswer } from './http-answer.ts';

/**
 * Reads HTTP/1.1 answers from the bytes that a server sent (RFC 9112): one after the other, each delimited by
 * Content-Length, by chunks, or by the end of the connection.
 * @param sent all bytes that the server sent
 * @param ended whether the server has ended the connection
 * @param requestMethods methods of the requests in order: an answer to HEAD has no body. Missing methods count as GET
 * @returns the complete answers
 */
export function readAnswers(sent: Buffer, ended: boolean, requestMethods: readonly string[] = []): HttpAnswer[] {
  const answers: HttpAnswer[] = [];
  let rest = sent;
  for (;;) {
    const answer = readAnswer(rest, ended, requestMethods[answers.length] ?? 'GET');
    if (answer === undefined) return answers;
    rest = rest.subarray(answer.length);
    if (answer.value.status >= 200) answers.push(answer.value);
  }
}

/** A value, and the number of bytes that it took. */
type Read<Value> = Readonly<{ value: Value; length: number }>;

function readAnswer(bytes: Buffer, ended: boolean, method: string): Read<HttpAnswer> | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new SyntaxError(`no HTTP status line: ${statusLine}`);
  const headers = lines.map(readHeader);
  const none = method === 'HEAD' || status < 200 || status === 204 || status === 304;
  const body = readBody(bytes.subarray(headEnd + 4), ended, headers, none);
  return body && { value: httpAnswer(status, headers, body.value), length: headEnd + 4 + body.length };
}

function readHeader(line: string): HeaderLine {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

function readBody(
  bytes: Buffer, ended: boolean, headers: readonly HeaderLine[], none: boolean,
): Read<Buffer> | undefined {
  const valueOf = (name: string): string | undefined => headers.find(([key]) => key.toLowerCase() === name)?.[1];
  if (none) return { value: Buffer.alloc(0), length: 0 };
  if (valueOf('transfer-encoding')?.toLowerCase() === 'chunked') return readChunks(bytes);
  const given = valueOf('content-length');
  if (given === undefined) return ended ? { value: bytes, length: bytes.length } : undefined;
  const length = Number(given);
  return bytes.length < length ? undefined : { value: bytes.subarray(0, length), length };
}

function readChunks(bytes: Buffer): Read<Buffer> | undefined {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    const next = lineEnd + 2 + size + 2;
    if (lineEnd < 0 || Number.isNaN(size) || bytes.length < next) return undefined;
    if (size === 0) return { value: Buffer.concat(chunks), length: next };
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}
