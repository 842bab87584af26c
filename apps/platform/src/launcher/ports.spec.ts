import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { freePorts } from '@platform/backing';
import { assertPortFree } from './ports.ts';

describe('assertPortFree', () => {
  it('names a taken port, its owner and the setting', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    try {
      const setting = '--port or PLATFORM_HTTP_PORT';
      const refusal = await assertPortFree('127.0.0.1', port, setting).catch((error: Error) => error);
      expect(refusal).toMatchObject({
        name: 'CommandFault',
        message: expect.stringContaining(String(port)),
        cure: expect.stringContaining('PLATFORM_HTTP_PORT'),
      });
      if (process.platform === 'linux') {
        expect(refusal).toMatchObject({ message: expect.stringContaining(`pid ${process.pid}`) });
      }
    } finally {
      server.close();
    }
  });

  it('accepts a free one, and leaves it free', async () => {
    const [port] = await freePorts(1);
    await assertPortFree('127.0.0.1', port!, '--port');
    await assertPortFree('127.0.0.1', port!, '--port');
  });
});
