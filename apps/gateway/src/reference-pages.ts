import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Answer } from './endpoint/answer.ts';
import type { Page } from './page.ts';

const documentPath = '/api/v1/openapi.json';
const viewerPath = '/api/swagger';

/** Files of the viewer's package that are served as they are, and kept for a while: they come with a release. */
const viewerFiles = [
  { name: 'swagger-ui.css', type: 'text/css; charset=utf-8' },
  { name: 'swagger-ui-bundle.js', type: 'text/javascript; charset=utf-8' },
];

/**
 * The OpenAPI document and Swagger UI to read it with. All of it comes from here: no outside address is loaded, and the
 * policy of the page lets none be.
 */
export function referencePages(document: string): Page[] {
  return [
    { path: documentPath, answer: () => own('application/json', document) },
    { path: viewerPath, answer: () => viewerPage() },
    { path: `${viewerPath}/start.js`, answer: () => own('text/javascript; charset=utf-8', startScript) },
    ...viewerFiles.map(({ name, type }): Page => {
      return { path: `${viewerPath}/${name}`, answer: async () => own(type, await viewerFile(name), 'public, max-age=3600') };
    }),
  ];
}

/** Read when asked for: 1.7 MB that a gateway without curious people never needs. */
function viewerFile(name: string): Promise<Buffer> {
  return readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));
}

function viewerPage(): Answer {
  return own(
    'text/html; charset=utf-8',
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Platform API</title>
<link rel="stylesheet" href="${viewerPath}/swagger-ui.css">
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<script src="${viewerPath}/swagger-ui-bundle.js"></script>
<script src="${viewerPath}/start.js"></script>
</body>
</html>
`,
  );
}

/** The validator of Swagger UI is a service elsewhere, and no business of this page. */
const startScript = `SwaggerUIBundle({
  url: '${documentPath}',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  showExtensions: true,
  validatorUrl: null,
  queryConfigEnabled: false,
});
`;

/** Scripts only from here, nothing inline; images of the viewer are `data:` and its layout sets styles of elements. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function own(contentType: string, body: string | Buffer, cacheControl = 'no-cache'): Answer {
  return {
    status: 200,
    headers: [
      ['Content-Type', contentType],
      ['Content-Security-Policy', policy],
      ['Cache-Control', cacheControl],
    ],
    body,
  };
}
