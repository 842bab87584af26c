import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Answer, createRouter, limitAddresses, page, pageRoute, type Router } from '@platform/http';
import type { RateLimiter } from '@platform/limits';

const documentPath = '/api/v1/openapi.json';
const viewerPath = '/api/swagger';

/** Files of the package `swagger-ui-dist`. They change only with a release, so clients may cache them. */
const viewerFiles = [
  { name: 'swagger-ui.css', type: 'text/css; charset=utf-8' },
  { name: 'swagger-ui-bundle.js', type: 'text/javascript; charset=utf-8' },
];

/**
 * @param basePath path of the platform below its host. A proxy in front of the gateway removes it from requests, so
 *   routes do not contain it, but links in pages do
 */
export function referencePages(rateLimiter: RateLimiter, document: string, basePath: string): Router {
  const router = createRouter();
  const add = (path: string, answer: () => Answer | Promise<Answer>) =>
    pageRoute(router, path).get(limitAddresses(rateLimiter), page(answer));
  add(documentPath, () => own('application/json', document));
  add(viewerPath, () => viewerPage(basePath));
  add(`${viewerPath}/start.js`, () => own('text/javascript; charset=utf-8', startScript(basePath)));
  for (const { name, type } of viewerFiles) {
    add(`${viewerPath}/${name}`, async () => own(type, await viewerFile(name), 'public, max-age=3600'));
  }
  return router;
}

/** Reads the file at each request, so that it takes no memory between requests. */
function viewerFile(name: string): Promise<Buffer> {
  return readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));
}

function viewerPage(basePath: string): Answer {
  const folder = `${basePath.replaceAll('&', '&amp;')}${viewerPath}`;
  return own('text/html; charset=utf-8', `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Platform API</title>
<link rel="stylesheet" href="${folder}/swagger-ui.css">
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<script src="${folder}/swagger-ui-bundle.js"></script>
<script src="${folder}/start.js"></script>
</body>
</html>
`);
}

/** `validatorUrl: null` disables the validator of Swagger UI, which runs on another host. */
const startScript = (basePath: string): string => `SwaggerUIBundle({
  url: ${JSON.stringify(`${basePath}${documentPath}`)},
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  showExtensions: true,
  validatorUrl: null,
  queryConfigEnabled: false,
});
`;

/** Allows scripts only in files of this host. Swagger UI needs `data:` images and inline styles. */
const policy = [
  "default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data:",
  "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
].join('; ');

function own(contentType: string, body: string | Buffer, cacheControl = 'no-cache'): Answer {
  return {
    status: 200,
    headers: [['Content-Type', contentType], ['Content-Security-Policy', policy], ['Cache-Control', cacheControl]],
    body,
  };
}
