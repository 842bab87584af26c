import { expect, it } from '@jest/globals';
import { createMetrics } from './metrics.ts';
import { observeQueues, type QueueState } from './queues.ts';

it('shows what waits when it is asked, and nothing false when it cannot be read', async () => {
  const metrics = createMetrics({ service: 'spec', defaults: false });
  let read = (): Promise<Record<'mail', QueueState>> => Promise.resolve({ mail: { pending: 3, oldestSeconds: 7.5 } });
  observeQueues(metrics, ['mail'], () => read());
  observeQueues(metrics, ['post'], async () => ({ post: { pending: 1, oldestSeconds: 0 } }));
  const { text } = await metrics.render();
  expect(text).toContain('queue_pending{queue="mail",service="spec"} 3');
  expect(text).toContain('queue_oldest_seconds{queue="mail",service="spec"} 7.5');
  expect(text).toContain('queue_pending{queue="post",service="spec"} 1');
  read = () => Promise.reject(new Error('away'));
  expect((await metrics.render()).text).toMatch(/queue_pending\{queue="mail",service="spec"\} nan/i);
});
