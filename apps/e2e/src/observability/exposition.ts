/** The metrics of several processes, merged from their `/metrics`. */
export interface Exposition {
  /** Declared type by name; a histogram is also listed under the names of its series. */
  readonly types: ReadonlyMap<string, string>;
  /** Help text by declared name. */
  readonly help: ReadonlyMap<string, string>;
  /** The labels of each series, by name. */
  readonly series: ReadonlyMap<string, readonly Readonly<Record<string, string>>[]>;
}

export function readExposition(texts: readonly string[]): Exposition {
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
