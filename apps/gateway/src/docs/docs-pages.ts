import type { IncomingMessage } from 'node:http';
import { type Answer, createRouter, page, type Received, type Router, skipWrites } from '@platform/http';
import { accepts } from '../console/console-files.ts';
import { type DocsFile, readDocs } from './docs-files.ts';

const route = '/docs';
/** Allows scripts and styles only in files of this host. Allows nothing from other hosts. */
const policy = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'",
  "connect-src 'self'", "form-action 'none'", "frame-ancestors 'none'", "base-uri 'none'",
].join('; ');

/**
 * Serves the documents at `/docs` and below, for GET and HEAD. Reads the files at the first request.
 * @param basePath path of the platform below its host, without a slash at the end; empty at the root
 */
export function docsPages(basePath: string, read = readDocs): Router {
  let files: Promise<ReadonlyMap<string, DocsFile> | undefined> | undefined;
  const load = async () => {
    const found = await (files ??= read(basePath));
    // If the documents are missing, the next request looks again, because they may be built later.
    if (found === undefined) files = undefined;
    return found;
  };
  return createRouter().use(
    route, skipWrites, page(async (received) => answerTo(received, await load(), basePath), route),
  );
}

async function answerTo(
  { request, path }: Received, files: ReadonlyMap<string, DocsFile> | undefined, basePath: string,
): Promise<Answer> {
  if (files === undefined) {
    const body = 'The documents are not built: run `npm run docs` in the clone of the repository.\n';
    return { status: 404, headers: [['Content-Type', 'text/plain'], ['Cache-Control', 'no-store']], body };
  }
  const name = path.slice(route.length + 1);
  if (path === route || files.has(`${name}/index.html`)) {
    const address = `${basePath}${path}/`;
    return { status: 308, headers: [['Location', address], ['Cache-Control', 'no-cache']], body: '' };
  }
  const page = name === '' || name.endsWith('/') ? `${name}index.html` : `${name}.html`;
  const found = files.get(name) ?? files.get(page);
  return found === undefined ? fileAnswer(404, files.get('404.html')!, request) : fileAnswer(200, found, request);
}

async function fileAnswer(status: number, file: DocsFile, { headers }: IncomingMessage): Promise<Answer> {
  const accepted = String(headers['accept-encoding'] ?? '');
  const encoding = (['br', 'gzip'] as const).find((one) => accepts(accepted, one));
  const encoded = encoding === undefined ? undefined : await file.encoded(encoding);
  return {
    status,
    headers: [
      ['Content-Type', file.type],
      ['Content-Security-Policy', policy],
      ['Cross-Origin-Opener-Policy', 'same-origin'],
      ['Cache-Control', file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache'],
      ['Vary', 'Accept-Encoding'],
      ...(encoded === undefined ? [] : [['Content-Encoding', encoding!] satisfies [string, string]]),
    ],
    body: encoded ?? file.plain,
  };
}
