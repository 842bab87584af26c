import type { Answer } from '@platform/http';
import type { LocalRoute } from '@platform/rest';
import type { Readiness } from '@platform/service';
import { type Home, homePage } from './home-page.ts';
import { referencePages } from './reference-pages.ts';

export interface OwnPagesOptions {
  readonly version: string;
  readonly readiness: Readiness;
  /** The OpenAPI document, as JSON. */
  readonly document: string;
  /** What the home page shows about the running services; only in run mode `dev`. */
  readonly inside?: () => Promise<Home['inside']>;
}

/** `/`, `/livez` and `/readyz`, the OpenAPI document and the pages that show it (open-points 1.2). */
export function ownPages({ version, readiness, document, inside }: OwnPagesOptions): LocalRoute[] {
  return [
    {
      path: '/',
      answer: async () => {
        const [{ ready }, shown] = await Promise.all([readiness.report(), inside?.()]);
        return homePage({ version, isUp: ready, ...(shown && { inside: shown }) });
      },
    },
    { path: '/livez', unlimited: true, answer: () => json(200, { live: true }) },
    {
      path: '/readyz',
      unlimited: true,
      answer: async () => {
        const report = await readiness.report();
        return json(report.ready ? 200 : 503, report);
      },
    },
    ...referencePages(document),
  ];
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
