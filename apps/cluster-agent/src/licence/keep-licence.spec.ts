import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, it } from '@jest/globals';
import { type OpenService, Secret, silentLogger } from '@platform/service';
import { openAuthority } from '@platform/tls';
import { openLicence } from './keep-licence.ts';

it.each([200, 401, 502])('does not read a long answer with status %s to its end', async (status) => {
  // given
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'agent-licence-'));
  opened.defer(() => rm(folder, { recursive: true }));
  const clusterUid = randomUUID();
  // The certificate serves as a licence that must be renewed: one hour of its 25 hours is left.
  const authority = await openAuthority(folder, 3_600_000);
  const { certificate } = await authority.issue({ role: 'service', name: clusterUid, hosts: [] });
  const platform = createServer().listen(0, '127.0.0.1');
  opened.defer(() => {
    platform.closeAllConnections();
    platform.close();
  });
  await once(platform, 'listening');
  const asked = once(platform, 'request');

  // when
  await openLicence({
    service: { log: silentLogger, stack: opened.use(new AsyncDisposableStack()) } as unknown as OpenService,
    file: certificate, clusterUid, owner: 'acme', renewed: () => undefined,
    baseUrl: `http://127.0.0.1:${(platform.address() as AddressInfo).port}`, token: new Secret('token'),
  });
  const [, response] = (await asked) as [IncomingMessage, ServerResponse];
  const chunk = Buffer.alloc(1024 * 1024, ' ');
  const answer = Readable.from(Array.from({ length: 64 }, () => chunk));
  const sent = await pipeline(answer, response.writeHead(status)).then(() => 'whole', () => 'in part');

  // then
  expect(sent).toBe('in part');
});
