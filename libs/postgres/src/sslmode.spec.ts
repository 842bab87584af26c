import { expect, it } from '@jest/globals';
import { deadlineIn } from '@platform/service';
import { testDatabase } from '@platform/testing';
import { connect } from './connect.ts';
import { migrate } from './migrate.ts';

it.each(['require', 'verify-full'])('sslmode=%s is never answered in plain text', async (mode) => {
  const { url, schema } = await testDatabase('clusters');
  const secure = `${url}?sslmode=${mode}`;
  await using plain = connect({ url, schema, applicationName: 'spec' });
  await plain.ping(deadlineIn(5_000));
  await using encrypted = connect({ url: secure, schema, applicationName: 'spec' });
  await expect(encrypted.ping(deadlineIn(5_000))).rejects.toMatchObject({
    cause: expect.objectContaining({ message: 'The server does not support SSL connections' }),
  });
  const migrations = new URL('../../../apps/clusters/migrations/', import.meta.url);
  await expect(migrate({ url: secure, schema, directory: migrations })).rejects.toThrow();
});
