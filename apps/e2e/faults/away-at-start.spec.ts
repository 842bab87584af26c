import { describe, expect, it } from '@jest/globals';
import { freePort, startService, tcpProxy, testDatabase, testSecret, until } from '@platform/testing';
import { adminHttp } from '../src/admin-http.ts';

describe('PostgreSQL away at the start', () => {
  const services = ['orgs-teams', 'clusters', 'contracts-licensing'];
  it.each(services)('%s waits, says so, and serves once it is there', async (name) => {
    // Given
    const database = await testDatabase(name);
    const proxy = await tcpProxy(database.url);
    const url = Object.assign(new URL(database.url), { host: proxy.address });
    await proxy.refuse();
    const admin = `127.0.0.1:${await freePort()}`;
    const nowhere = `127.0.0.1:${await freePort()}`;

    // When
    const starting = startService(name, {
      'admin.listen': admin,
      'postgres.url': url.href,
      'services.orgsTeams': nowhere,
      'services.contractsLicensing': nowhere,
      'services.authz': nowhere,
      'secrets.serviceCredential': testSecret(),
      'secrets.tokenKey': testSecret(),
      'secrets.encryptionKeys': testSecret(),
      'secrets.adminToken': testSecret().slice(0, 40),
    });
    starting.catch(() => undefined);

    // Then
    const probes = adminHttp(admin);
    const missing = async () => {
      const answer = await probes.get('/readyz');
      const { checks } = answer.json<{ checks: { name: string; ok: boolean }[] }>();
      return answer.status === 503 && checks.some((check) => check.name === 'PostgreSQL' && !check.ok);
    };
    await until(missing, { within: 30_000, what: 'it says what it waits for' });
    expect((await probes.get('/livez')).status).toBe(200);

    // When
    await proxy.release();

    // Then
    await starting;
    await until(async () => (await probes.get('/readyz')).status === 200, { within: 15_000, what: 'it is ready' });
  });
});
