import { X509Certificate } from 'node:crypto';
import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VersionServiceService } from '@platform/proto/version/v1/version';
import { services } from '@platform/service';
import { as, freePort, rpcClient } from '@platform/testing';
import { type Launcher, PlatformState, type RunFile } from './launched-platform.ts';

const run = promisify(execFile);
/** A start and a stop, on a machine that is busy with other tests. */
const patience = 180_000;

describe('npm start with PLATFORM_TLS=auto', () => {
  let state: PlatformState, launcher: Launcher, started: RunFile, listenerPort: number;

  beforeAll(async () => {
    listenerPort = await freePort();
    state = await PlatformState.create({
      PLATFORM_TLS: 'auto', PLATFORM_DEPLOYMENT_TYPE: 'ProviderBMarketplace',
      PLATFORM_MARKETPLACE_LISTENER_PORT: String(listenerPort),
    });
    launcher = state.start();
    started = await launcher.running();
  }, patience);
  afterAll(async () => state.remove(), patience);

  it('prints calls that work over HTTPS, and answers no plain text', async () => {
    expect(started.baseUrl).toMatch(/^https:/);
    for (const call of launcher.calls) {
      const { stdout } = await run('sh', ['-c', `curl --silent --show-error --fail ${call}`]);
      expect(JSON.parse(stdout)).toEqual(expect.any(Object));
    }
    await expect(fetch(started.baseUrl.replace('https:', 'http:'))).rejects.toThrow();
  });

  it('has the marketplace listener speak HTTPS, at its port and behind the gateway', async () => {
    const { listenerUrl, baseUrl, tls } = started;
    expect(listenerUrl).toBe(`https://127.0.0.1:${listenerPort}`);
    expect(launcher.output).toContain(`${listenerUrl}/marketplace/api/v1`);
    for (const root of [listenerUrl!, baseUrl]) {
      const url = `${root}/marketplace/api/v1/version`;
      const { stdout } = await run('curl', ['--silent', '--show-error', '--fail', '--cacert', tls!.ca, url]);
      expect(JSON.parse(stdout)).toEqual({ version: expect.stringMatching(/^v\d/) });
    }
  });

  it("has the operator's commands go by certificate", async () => {
    const { parts } = await state.ask<{ parts: { ready: boolean }[] }>('status');
    expect(parts.filter(({ ready }) => !ready)).toEqual([]);
    const user = ['admin', 'user', 'create', '--username', 'dora', '--email', 'dora@example.com'];
    await expect(state.ask(...user)).resolves.toMatchObject({ username: 'dora' });
    await expect(state.ask('doctor')).resolves.toMatchObject({ ok: true });
  });

  it('lets nobody speak to a service without a certificate', async () => {
    const direct = await rpcClient(VersionServiceService, [started.grpc['orgs-teams']!]);
    await expect(direct.getVersion({}, as(undefined))).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    expect(await readFile(join(state.home, 'logs/orgs-teams.log'), 'utf8')).toContain('the client does not speak TLS');
  });

  it('keeps keys to itself, and makes certificates for a week', async () => {
    const folder = join(state.home, 'tls');
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const keys = (await readdir(folder)).filter((file) => file.endsWith('.key'));
    expect(keys.sort()).toEqual([...services.map(({ name }) => `${name}.key`), 'ca.key', 'operator.key'].sort());
    for (const file of keys) {
      expect({ file, mode: (await stat(join(folder, file))).mode & 0o777 }).toEqual({ file, mode: 0o600 });
    }
    const certificate = new X509Certificate(await readFile(join(folder, 'orgs-teams.pem')));
    expect(certificate.subjectAltName).toContain('URI:spiffe://platform/service/orgs-teams');
    expect(certificate.checkIssued(new X509Certificate(await readFile(started.tls!.ca)))).toBe(true);
    const days = (certificate.validToDate.getTime() - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6);
    expect(days).toBeLessThan(8);
  });
});
