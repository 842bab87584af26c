import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { askReadiness } from './part-readiness.ts';
import type { PartStatus } from './parts-file.ts';

describe('askReadiness', () => {
  it('says of a service that closes connections that it does', async () => {
    // A service behaves like this when it has no free file handles.
    const server = createServer().on('connection', (socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const part: PartStatus = {
        name: 'clusters', state: 'running', restarts: 0, since: '', admin: `127.0.0.1:${port}`,
      };
      expect(await askReadiness(part, undefined, '/nowhere')).toEqual({
        ready: false, reason: expect.stringMatching(/socket hang up|ECONNRESET/),
      });
    } finally {
      server.close();
    }
  });
});
