import { describe, expect, it } from '@jest/globals';
import { IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import { as, http, rpcClient, tcpProxy, type TcpProxy, until } from '@platform/testing';
import { reasonOf, startPlatform } from '../fixtures/platform.ts';

/** Longer than the time limit of a pass. */
const outageMs = 7_000;

describe('a settle whose database falls silent', () => {
  it('gives up in time, and leaves the service alive', async () => {
    // Given units that wait because the engine is unavailable
    let engine: TcpProxy | undefined;
    const platform = await startPlatform({
      authzThrough: async (address) => (engine = await tcpProxy(address)).address,
    });
    const url = new URL(platform.testing.url);
    const postgres = await tcpProxy(url.host);
    url.host = postgres.address;
    const replica = await platform.startAnother({ 'postgres.url': url.href });
    const owner = await platform.user();
    await engine!.refuse();
    const { id } = await platform.organization(owner, { username: 'waiting' });

    // When PostgreSQL does not answer either, and a settle is requested
    postgres.hold();
    const began = performance.now();
    const identity = await rpcClient(IdentityServiceService, replica, { serviceCredential: platform.serviceCredential });
    const settling = reasonOf(identity.settle({ organizationId: id }, as(undefined)));

    // Then the replica reports its health all the time
    const admin = http(`http://${replica.addresses['admin']}`);
    await until(
      async () => {
        expect((await admin.get('/livez', { within: 5_000 })).status).toBe(200);
        return performance.now() - began > outageMs;
      },
      { within: 3 * outageMs, what: 'the outage is over, and the service was alive throughout' },
    );

    // And it continues when both are available again
    expect(['UNAVAILABLE', 'DEADLINE_EXCEEDED']).toContain(await settling);
    await postgres.release();
    await engine!.release();
    const ready = async () => (await admin.get('/readyz')).status === 200;
    await until(ready, { within: 15_000, what: 'the replica is ready again' });
    await platform.settled(id);
  });
});
