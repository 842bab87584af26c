import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { translate } from '@platform/faults';
import { deadlineIn, Unavailable } from '@platform/service';
import { freePort } from '@platform/testing';
import { openReplicas, type UnaryMethod } from './replicas.ts';

const unknown = { reason: 'UNAVAILABLE', metadata: { outcome: 'unknown' }, retryAfterSeconds: 1 };
const none = { reason: 'UNAVAILABLE', metadata: {}, retryAfterSeconds: 1 };

class LostOnTheWay extends Unavailable {
  override readonly outcome = 'unknown';
}

describe('a call whose answer is lost', () => {
  const call = async (address: string, repeatable: boolean) => {
    const bytes = (message: Buffer) => message;
    const path = '/controlplane.version.v1.VersionService/GetVersion';
    const method: UnaryMethod<Buffer, Buffer> = { path, requestSerialize: bytes, responseDeserialize: bytes, repeatable };
    await using replicas = openReplicas('a service', [address]);
    return await replicas.call(method, Buffer.alloc(0), { deadline: deadlineIn(5_000), requestId: 'spec' }, []);
  };

  it('may have changed something, and says so, unless it may be repeated', async () => {
    const vanishing = createServer();
    let asked = 0;
    vanishing.on('stream', ({ session }) => {
      asked += 1;
      session?.destroy();
    });
    vanishing.listen(0, '127.0.0.1');
    await once(vanishing, 'listening');
    const { port } = vanishing.address() as AddressInfo;
    await expect(call(`127.0.0.1:${port}`, false)).rejects.toMatchObject(unknown);
    expect(asked).toBe(1);
    await expect(call(`127.0.0.1:${port}`, true)).rejects.toMatchObject(none);
    vanishing.close();
  });

  it('that never began has changed nothing', async () => {
    await expect(call(`127.0.0.1:${await freePort()}`, false)).rejects.toMatchObject(none);
  });
});

describe('what a handler lost on the way', () => {
  it('is said to be open where the method changes something', () => {
    expect(translate(new LostOnTheWay(), true)).toMatchObject(unknown);
  });

  it('is merely unavailable where it only reads, or where nothing was done', () => {
    expect(translate(new LostOnTheWay(), false)).toMatchObject(none);
    expect(translate(new Unavailable(), true)).toMatchObject(none);
  });
});
