import { expect, it } from '@jest/globals';
import { testBus } from '@platform/testing';
import { connectBus } from './connection.ts';

it('tls:// is never answered in plain text', async () => {
  const { url, credentials } = await testBus();
  await using plain = await connectBus({ url, credentials }, 5_000);
  await plain.publish('spec.greeting', 'hello');
  const attempt = connectBus({ url: url.replace('nats://', 'tls://'), credentials }, 5_000);
  await expect(attempt).rejects.toThrow(/tls/i);
});
