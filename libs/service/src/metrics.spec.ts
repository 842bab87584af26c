import { describe, expect, it } from '@jest/globals';
import { createMetrics } from './metrics.ts';

describe('createMetrics', () => {
  it('renders counters, gauges and histograms with their labels', async () => {
    const metrics = createMetrics({ service: 'spec', defaults: false });
    const counter = metrics.counter({ name: 'calls_total', help: 'Calls.', labels: ['method'] });
    counter.add({ method: 'Get' });
    counter.with({ method: 'Get' }).add(2);
    metrics.gauge({ name: 'depth', help: 'Depth.' }).with({}).set(4);
    metrics
      .histogram({ name: 'time_seconds', help: 'Time.', buckets: [1, 2] })
      .with({})
      .observe(1.5);
    let waiting = 1;
    metrics.observed({ name: 'waiting', help: 'Waiting.' }, () => waiting);
    waiting = 9;

    const { text } = await metrics.render();

    expect(text).toContain('calls_total{method="Get",service="spec"} 3');
    expect(text).toContain('depth{service="spec"} 4');
    expect(text).toMatch(/time_seconds_bucket\{le="1",service="spec"\} 0/);
    expect(text).toMatch(/time_seconds_bucket\{le="2",service="spec"\} 1/);
    expect(text).toContain('waiting{service="spec"} 9');
  });

  it('counts together what is beyond the bound of series', async () => {
    const metrics = createMetrics({ service: 'spec', defaults: false });
    const counter = metrics.counter({ name: 'calls_total', help: 'Calls.', labels: ['who'], maxSeries: 3 });
    for (let who = 0; who < 100; who += 1) counter.add({ who: String(who) });

    const { text } = await metrics.render();

    expect(text.match(/^calls_total\{/gm)).toHaveLength(4);
    expect(text).toContain('calls_total{who="other",service="spec"} 97');
  });

  it('brings the metrics of the process', async () => {
    const { text } = await createMetrics({ service: 'spec' }).render();
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
    expect(text).toMatch(/^platform_build_info\{.*version="v\d+\.\d+\.\d+".*\} 1$/m);
  });

  it('has gauges read before each answer, and answers also when that fails', async () => {
    const metrics = createMetrics({ service: 'spec', defaults: false });
    const gauge = metrics.gauge({ name: 'depth', help: 'Depth.' });
    let depth = 0;
    metrics.whenAsked(async () => gauge.set({}, (depth += 1)));
    metrics.whenAsked(() => Promise.reject(new Error('away')));
    expect((await metrics.render()).text).toContain('depth{service="spec"} 1');
    expect((await metrics.render()).text).toContain('depth{service="spec"} 2');
  });
});
