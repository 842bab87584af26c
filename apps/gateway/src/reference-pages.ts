import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Answer } from '@platform/http';
import type { LocalRoute } from '@platform/rest';

const documentPath = '/api/v1/openapi.json';
const viewerPath = '/api/swagger';

/** Files of the viewer's package. They change only with a release, so clients may cache them. */
const viewerFiles = [
  { name: 'swagger-ui.css', type: 'text/css; charset=utf-8' },
  { name: 'swagger-ui-bundle.js', type: 'text/javascript; charset=utf-8' },
];

/** @param basePath A proxy in front of the gateway removes this path, so only addresses in pages contain it. */
export function referencePages(document: string, basePath: string): LocalRoute[] {
  return [
    { path: documentPath, answer: () => own('application/json', document) },
    { path: viewerPath, answer: () => viewerPage(basePath) },
    { path: `${viewerPath}/start.js`, answer: () => own('text/javascript; charset=utf-8', startScript(basePath)) },
    ...viewerFiles.map(({ name, type }): LocalRoute => ({
      path: `${viewerPath}/${name}`, answer: async () => own(type, await viewerFile(name), 'public, max-age=3600'),
    })),
  ];
}

/** Reads the file on each request. A gateway may never serve it, so it is not kept in memory. */
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

/** `validatorUrl: null` disables Swagger UI's validator, which is a service of another host. */
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

/** Allows scripts only as files of this host. The viewer needs `data:` images and inline styles. */
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
