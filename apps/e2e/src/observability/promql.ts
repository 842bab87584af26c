/** One metric with its label matchers. */
interface Selector {
  readonly metric: string;
  readonly labels: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

const words = new Set(['and', 'or', 'unless', 'offset', 'bool']);

/**
 * The metrics and labels that a PromQL expression reads, as far as they can be compared with exposed metrics;
 * `grouping` has the labels by which it groups or joins.
 */
export function readExpression(expression: string) {
  const grouping: string[] = [];
  const rest = expression
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g, (_, names: string) => {
      grouping.push(...names.split(',').map((name) => name.trim()).filter((name) => name !== ''));
      return '';
    });
  const metrics: Selector[] = [];
  for (const [, metric, matchers = ''] of rest.matchAll(/([a-zA-Z_:][\w:]*)(?!\w)(?!\s*\()(?:\{([^}]*)\})?/g)) {
    if (words.has(metric!)) continue;
    const labels = [...matchers.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)]
      .map(([, label, operator, value]) => ({ label: label!, operator: operator!, value: value! }));
    metrics.push({ metric: metric!, labels });
  }
  return { metrics, grouping };
}
