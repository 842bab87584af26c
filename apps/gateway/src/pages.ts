import type { Answer } from '@platform/http';
import type { LocalRoute } from '@platform/rest';
import type { Readiness } from '@platform/service';
import { referencePages } from './reference-pages.ts';

/**
 * `/livez`, `/readyz`, the OpenAPI document, and the pages that show it (open-points 1.2).
 * @param document the OpenAPI document, as JSON
 * @param basePath path of `http.baseURL`, empty if the URL has none
 */
export function ownPages(
  { readiness, document, basePath }: { readiness: Readiness; document: string; basePath: string },
): LocalRoute[] {
  return [
    { path: '/livez', unlimited: true, answer: () => json(200, { live: true }) },
    { path: '/readyz', unlimited: true, answer: async () => {
      const report = await readiness.report();
      return json(report.ready ? 200 : 503, report);
    } },
    ...referencePages(document, basePath),
  ];
}

function json(status: number, value: unknown): Answer {
  const headers: Answer['headers'] = [['Content-Type', 'application/json'], ['Cache-Control', 'no-store']];
  return { status, headers, body: JSON.stringify(value) };
}
