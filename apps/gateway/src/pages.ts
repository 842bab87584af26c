import type { Readiness } from '@platform/service';
import type { Answer } from './endpoint/answer.ts';
import { referencePages } from './reference-pages.ts';

/** A route of the gateway itself: GET and HEAD, for everybody. */
export interface Page {
  /** Without parameters. */
  readonly path: string;
  answer(): Answer | Promise<Answer>;
}

/**
 * `/`, `/livez` and `/readyz`, the OpenAPI document and the pages that show it (open-points 1.2).
 * @param document the OpenAPI document, as JSON
 */
export function ownPages(version: string, readiness: Readiness, document: string): Page[] {
  return [
    { path: '/', answer: async () => homePage(version, (await readiness.report()).ready) },
    { path: '/livez', answer: () => json(200, { live: true }) },
    {
      path: '/readyz',
      answer: async () => {
        const report = await readiness.report();
        return json(report.ready ? 200 : 503, report);
      },
    },
    ...referencePages(document),
  ];
}

/** What people see who open the address in a browser. */
export function homePage(version: string, isUp: boolean): Answer {
  const state = isUp ? 'up' : 'not ready';
  return html(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Platform</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}</style>
<h1>Platform</h1>
<p>Version ${version}, ${state}.</p>
<p><a href="/api/swagger">API reference</a></p>
</html>
`);
}

function html(body: string): Answer {
  return {
    status: 200,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"],
      ['Cache-Control', 'no-cache'],
    ],
    body,
  };
}

function json(status: number, value: unknown): Answer {
  return {
    status,
    headers: [
      ['Content-Type', 'application/json'],
      ['Cache-Control', 'no-store'],
    ],
    body: JSON.stringify(value),
  };
}
