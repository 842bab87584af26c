import { VersionServiceService } from '@platform/proto/version/v1/version';
import { describe, expect, it } from '@jest/globals';
import { freePort } from './free-port.ts';
import { as, rpcClient } from './rpc-client.ts';

describe('a client of a service', () => {
  it('finds the method in the descriptor image and says when nobody answers', async () => {
    const nobody = `127.0.0.1:${await freePort()}`;
    await using version = await rpcClient(VersionServiceService, [nobody]);
    await expect(version.getVersion({}, as(undefined, 2_000))).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  });

  it('has a request id and a deadline of its own for each call', () => {
    const [one, other] = [as('token'), as('token', 100)];
    expect(one.requestId).not.toBe(other.requestId);
    expect([one.token, other.token]).toEqual(['token', 'token']);
  });
});
