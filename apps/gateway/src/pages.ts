import type { Answer } from '@platform/http';
import type { LocalRoute } from '@platform/rest';
import type { Readiness } from '@platform/service';
import { referencePages } from './reference-pages.ts';

interface OwnPagesOptions {
  readonly readiness: Readiness;
  /** The OpenAPI document, as JSON. */
  readonly document: string;
  /** Path of `http.baseURL`, empty if the URL has none. */
  readonly basePath: string;
}

/** `/livez` and `/readyz`, the OpenAPI document and the pages that show it (open-points 1.2). */
export function ownPages({ readiness, document, basePath }: OwnPagesOptions): LocalRoute[] {
  return [
    { path: '/livez', unlimited: true, answer: () => json(200, { live: true }) },
    {
      path: '/readyz',
      unlimited: true,
      answer: async () => {
        const report = await readiness.report();
        return json(report.ready ? 200 : 503, report);
      },
    },
    ...referencePages(document, basePath),
  ];
}

function json(status: number, value: unknown): Answer {
  return {
    status,
    headers: [['Content-Type', 'application/json'], ['Cache-Control', 'no-store']],
    body: JSON.stringify(value),
  };
}
