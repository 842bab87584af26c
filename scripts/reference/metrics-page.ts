import { type DeclaredMetric, findMetrics } from './find-metrics.ts';

const introduction = `# Metrics

Made from the source code by \`npm run generate -- --golden\`.

Each service serves its metrics in the Prometheus text format at \`/metrics\` of its admin address (\`./platform status\` names the addresses).
Every series has the label \`service\`. A combination of label values beyond the limit of a metric is counted under \`other\`. The unit is a
part of the name: \`_seconds\`, \`_bytes\`; \`_total\` is a counter. [deploy/observability](../deploy/observability/README.md) has a dashboard, alerts and a
scrape configuration; the [runbook](runbook.md) describes the alerts.

In addition to these metrics, each process exports \`platform_build_info\` (1; labels \`version\` and \`node\`) and the usual metrics
\`process_*\` and \`nodejs_*\` of its memory, processor time, file handles and event loop.
`;

/** The processes that export the metrics of each library, in the order of the page. */
const homes: Readonly<Record<string, string>> = {
  'libs/service': 'Every service',
  'libs/postgres': 'Services with a database',
  'libs/jobs': 'Services with jobs',
  'libs/facts': 'Services that read facts of other services',
  'libs/http': 'The gateway and other services that serve HTTP',
  'libs/rest': 'The gateway',
  'libs/limits': 'The gateway and services that resolve tokens',
  'libs/rpc': 'Services that serve gRPC',
  'libs/bus': 'Services that use the message bus',
};

/** Returns docs/metrics.md. */
export function metricsPage(metrics: readonly DeclaredMetric[] = findMetrics()): string {
  const projects = [...new Set(metrics.map(({ project }) => project))];
  const unknown = projects.filter((project) => project.startsWith('libs/') && homes[project] === undefined);
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')} has metrics: name its processes in metrics-page.ts`);
  const order = [...Object.keys(homes), ...projects.filter((project) => project.startsWith('apps/')).toSorted()];
  const parts = order.flatMap((project) => {
    const rows = metrics.filter((metric) => metric.project === project).map(({ name, type, labels, help }) => {
      return `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`;
    });
    if (rows.length === 0) return [];
    return [`## ${homes[project] ?? project.slice('apps/'.length)}\n\n| name | type | labels | meaning |\n|---|---|---|---|\n${rows.join('\n')}`];
  });
  return `${[introduction.trimEnd(), ...parts].join('\n\n')}\n`;
}
