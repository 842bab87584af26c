import { collectDefaultMetrics, Counter as PrometheusCounter, Gauge as PrometheusGauge, Registry } from 'prom-client';
import { Histogram as PrometheusHistogram } from 'prom-client';
import { type Deadline, deadlineIn, shrink, within } from './deadline.ts';
import { platformVersion } from './version.ts';

type Labels<Name extends string> = Readonly<Record<Name, string>>;

interface MetricOptions<Name extends string> {
  /** Prometheus name with its unit, e.g. `rpc_server_duration_seconds`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Name[];
  /** Maximum number of label combinations; default 1,000. Further combinations count as `other`, to bound memory. */
  readonly maxSeries?: number;
}

/** `with` binds label values for many updates. It also exports the series with the value 0 before the first update. */
interface Counter<Name extends string> {
  with(labels: Labels<Name>): { add(by?: number): void };
  add(labels: Labels<Name>, by?: number): void;
}

interface Gauge<Name extends string> {
  with(labels: Labels<Name>): { set(value: number): void; add(by: number): void };
  set(labels: Labels<Name>, value: number): void;
}

interface Histogram<Name extends string> {
  with(labels: Labels<Name>): { observe(value: number): void };
  observe(labels: Labels<Name>, value: number): void;
}

/** The registry that `/metrics` exports: one per process (per service in tests). Register each name once. */
export interface Metrics {
  counter<const Name extends string = never>(options: MetricOptions<Name>): Counter<Name>;
  gauge<const Name extends string = never>(options: MetricOptions<Name>): Gauge<Name>;
  /** `buckets`: upper bounds of the buckets, in the unit of the metric; default {@link latencyBuckets}. */
  histogram<const Name extends string = never>(
    options: MetricOptions<Name> & { readonly buckets?: readonly number[] },
  ): Histogram<Name>;
  /** A gauge without labels whose value is read at each scrape. */
  observed(options: Omit<MetricOptions<never>, 'labels' | 'maxSeries'>, read: () => number): void;
  /**
   * Runs `read` before each scrape, to update gauges. `read` has a little less than three seconds. If `read` fails or
   * is late, the scrape shows the values that the gauges have at that time.
   */
  whenAsked(read: (deadline: Deadline) => Promise<void>): void;
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Default buckets in seconds: from a decision in memory (0.5 ms) to a whole request (30 s, open-points 1.9). */
const latencyBuckets: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

/** Time limit for the reads of `whenAsked`, in milliseconds. Prometheus usually waits ten seconds for a scrape. */
const readMs = 3_000;

/** Interval at which the lag of the event loop is sampled, in milliseconds. Each sample wakes an idle process. */
const lagSampleMs = 500;

/** @param defaults whether to add the metrics of the process (version, memory, event loop, handles); default true */
export function createMetrics(options: { readonly service: string; readonly defaults?: boolean }): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service: options.service });
  const registers = [registry];
  const reads: ((deadline: Deadline) => Promise<void>)[] = [];
  if (options.defaults !== false) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagSampleMs });
    new PrometheusGauge({
      name: 'platform_build_info',
      help: 'Always 1; the labels contain the versions of the platform and of Node.js.',
      labelNames: ['version', 'node'],
      registers,
    }).set({ version: platformVersion, node: process.version }, 1);
  }

  return {
    counter: (metric) => {
      const counter = new PrometheusCounter({ ...described(metric), registers });
      const series = seriesOf(metric, (labels) => {
        // The series starts at 0, because Prometheus does not count a first value as an increase.
        counter.inc(labels, 0);
        return { add: (by = 1) => counter.inc(labels, by) };
      });
      return { with: series, add: (labels, by) => series(labels).add(by) };
    },
    gauge: (metric) => {
      const gauge = new PrometheusGauge({ ...described(metric), registers });
      const series = seriesOf(metric, (labels) => ({
        set: (value: number) => gauge.set(labels, value),
        add: (by: number) => gauge.inc(labels, by),
      }));
      return { with: series, set: (labels, value) => series(labels).set(value) };
    },
    histogram: (metric) => {
      const buckets = [...(metric.buckets ?? latencyBuckets)];
      const histogram = new PrometheusHistogram({ ...described(metric), registers, buckets });
      const series = seriesOf(metric, (labels) => ({ observe: (value: number) => histogram.observe(labels, value) }));
      return { with: series, observe: (labels, value) => series(labels).observe(value) };
    },
    observed: ({ name, help }, read) => {
      new PrometheusGauge({
        name, help, registers,
        collect() {
          this.set(read());
        },
      });
    },
    whenAsked: (read) => void reads.push(read),
    render: async () => {
      const deadline = deadlineIn(readMs);
      await Promise.allSettled(reads.map((read) => within(deadline, read(shrink(deadline)), 'metrics')));
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

const ignore = () => undefined;

export const noMetrics: Metrics = {
  counter: () => ({ with: () => ({ add: ignore }), add: ignore }),
  gauge: () => ({ with: () => ({ set: ignore, add: ignore }), set: ignore }),
  histogram: () => ({ with: () => ({ observe: ignore }), observe: ignore }),
  observed: ignore,
  whenAsked: ignore,
  render: async () => ({ contentType: 'text/plain', text: '' }),
};

function described<Name extends string>({ name, help, labels = [] }: MetricOptions<Name>) {
  return { name, help, labelNames: [...labels] };
}

/** Returns a function that finds or creates the series for given label values. Limits the number of series. */
function seriesOf<Name extends string, Series>(
  { labels: names = [], maxSeries = 1_000 }: MetricOptions<Name>, make: (labels: Record<Name, string>) => Series,
): (labels: Labels<Name>) => Series {
  const known = new Map<string, Series>();
  const of = (values: readonly string[]): Series => {
    const key = values.join('\0');
    const found = known.get(key);
    if (found !== undefined) return found;
    const overflow = values.map(() => 'other');
    if (known.size >= maxSeries && key !== overflow.join('\0')) return of(overflow);
    const labels = Object.fromEntries(names.map((name, index) => [name, values[index]])) as Record<Name, string>;
    const made = make(labels);
    known.set(key, made);
    return made;
  };
  return (labels) => of(names.map((name) => labels[name]));
}
