/**
 * The metrics of several processes, merged from their `/metrics`: declared type and help text by name, and the labels
 * of each series by name. A histogram also has a type under the names of its series.
 */
export function readExposition(texts: readonly string[]) {
  const types = new Map<string, string>();
  const help = new Map<string, string>();
  const series = new Map<string, Record<string, string>[]>();
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    const [, what, name, told] = /^# (TYPE|HELP) (\S+) (.*)$/.exec(line) ?? [];
    if (what === 'HELP') help.set(name!, told!);
    if (what === 'TYPE') {
      types.set(name!, told!);
      const parts = told === 'histogram' ? ['_bucket', '_sum', '_count'] : [];
      for (const part of parts) types.set(name! + part, 'histogram part');
    }
    const [, metric, labels = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    if (metric === undefined) continue;
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, value]) => [label!, value!]);
    series.set(metric, [...(series.get(metric) ?? []), Object.fromEntries(pairs) as Record<string, string>]);
  }
  return { types, help, series };
}
