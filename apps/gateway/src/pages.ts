import { type Answer, createRouter, page, pageRoute, type Router } from '@platform/http';
import type { RateLimiter } from '@platform/limits';
import type { Readiness } from '@platform/service';
import { referencePages } from './reference-pages.ts';

/**
 * `/livez`, `/readyz`, the OpenAPI document, and the pages that show it (open-points 1.2).
 * @param document the OpenAPI document, as JSON
 * @param basePath path of `http.baseURL`, empty if the URL has none
 */
export function ownPages(
  { readiness, rateLimiter, document, basePath }: {
    readiness: Readiness; rateLimiter: RateLimiter; document: string; basePath: string;
  },
): Router {
  const router = createRouter();
  pageRoute(router, '/livez').get(page(() => json(200, { live: true })));
  pageRoute(router, '/readyz').get(page(async () => {
    const report = await readiness.report();
    return json(report.ready ? 200 : 503, report);
  }));
  return router.use(referencePages(rateLimiter, document, basePath));
}

function json(status: number, value: unknown): Answer {
  const headers: Answer['headers'] = [['Content-Type', 'application/json'], ['Cache-Control', 'no-store']];
  return { status, headers, body: JSON.stringify(value) };
}
