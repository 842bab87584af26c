import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readAudit } from './audit-report.ts';
import { readAdvisories } from './osv.ts';

/** Runs the command against a registry that gives this answer to every request. */
async function audit(status: number, body: string): Promise<{ code: number | null; output: string }> {
  const registry = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status, { 'content-type': 'application/json' }).end(body));
  });
  await once(registry.listen(0, '127.0.0.1'), 'listening');
  const { port } = registry.address() as AddressInfo;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'audit.ts')], {
    env: { ...process.env, NODE_OPTIONS: '', npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_fetch_retries: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const output = await text(child.stdout);
  const [code] = (await closed) as [number | null];
  registry.close();
  registry.closeAllConnections();
  return { code, output };
}

describe('npm run audit', () => {
  it('ends with 0 when the registry knows of nothing', async () => {
    const { code, output } = await audit(200, '{}');
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^No known vulnerabilities in \d+ pack/) });
  });

  it('says so, and ends with 2, when the registry offers no audits', async () => {
    const { code, output } = await audit(405, '');
    expect({ code, output }).toEqual({ code: 2, output: expect.stringMatching(/does not offer audits: it answers 405/) });
  });

  it('ends with 1 and names what is known, the worst first', () => {
    const advisory = { title: 'Reads too much', url: 'https://advisories.example/1' };
    const report = {
      vulnerabilities: {
        small: { severity: 'low', range: '<2', via: ['large'], fixAvailable: false },
        large: { severity: 'critical', range: '<=1.2.3', via: [advisory], fixAvailable: { name: 'large', version: '1.2.4' } },
      },
      metadata: { dependencies: { total: 900 } },
    };
    expect(readAudit(JSON.stringify(report), '')).toEqual({
      code: 1,
      lines: [
        'critical  large <=1.2.3: Reads too much https://advisories.example/1; fixed by large 1.2.4',
        'low       small <2: through large; no fix yet',
        '2 of 900 packages have known vulnerabilities.',
      ],
    });
  });

  it('ends with 2 when nobody answers', () => {
    const { code, lines } = readAudit('', 'npm error network timeout\nnpm error more');
    expect({ code, first: lines[0] }).toEqual({ code: 2, first: 'The registry could not be asked: npm error network timeout' });
  });
});

describe('npm run audit -- --osv', () => {
  const locked = [{ name: 'yaml', version: '2.9.1' }, { name: 'yaml', version: '1.0.0' }, { name: '@scope/lib', version: '3.0.0-rc.1' }];
  const about = (name: string, events: readonly object[], more: object = {}) => ({
    id: 'TEST-1', summary: 'Reads too much',
    affected: [{ package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events }] }], ...more,
  });

  it.each([
    ['from the first to the fix', about('yaml', [{ introduced: '0' }, { fixed: '2.0.0' }]), ['yaml 1.0.0']],
    ['up to the last one', about('yaml', [{ introduced: '1.5.0' }, { last_affected: '2.9.1' }]), ['yaml 2.9.1']],
    ['in two ranges', about('yaml', [{ introduced: '2.0.0' }, { fixed: '1.0.1' }, { introduced: '0' }]), ['yaml 2.9.1', 'yaml 1.0.0']],
    ['before a release', about('@scope/lib', [{ introduced: '0' }, { fixed: '3.0.0' }]), ['@scope/lib 3.0.0-rc.1']],
    ['taken back', about('yaml', [{ introduced: '0' }], { withdrawn: '2026-01-01T00:00:00Z' }), []],
    [
      'with commits beside versions',
      {
        id: 'TEST-1',
        affected: [{
          package: { ecosystem: 'npm', name: 'yaml' },
          ranges: [
            { type: 'GIT', events: [{ introduced: '0' }, { fixed: '6b1f9cd' }] },
            { type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.0.0' }] },
          ],
        }],
      },
      ['yaml 1.0.0'],
    ],
    ['of other packages', about('toml', [{ introduced: '0' }]), []],
    ['of another ecosystem', { id: 'TEST-1', affected: [{ package: { ecosystem: 'PyPI', name: 'yaml' }, versions: ['2.9.1'] }] }, []],
    ['of named versions', { id: 'TEST-1', affected: [{ package: { ecosystem: 'npm', name: 'yaml' }, versions: ['2.9.1'] }] }, ['yaml 2.9.1']],
  ])('reads advisories %s', (_, advisory, found) => {
    const { code, lines } = readAdvisories(folderWith(JSON.stringify(advisory)), locked);
    expect(code).toBe(found.length === 0 ? 0 : 1);
    expect(lines.filter((line) => line.startsWith('TEST-1')).map((line) => /^\S+ {2}([^:]+):/.exec(line)![1])).toEqual(found);
  });

  it.each([['no JSON', '{'], ['no advisory', '{}']])('ends with 2 and names the file that is %s', (_, content) => {
    const { code, lines } = readAdvisories(folderWith(content), locked);
    expect([code, lines[0]]).toEqual([2, expect.stringMatching(/^one\.json is no advisory: /)]);
  });

  it('ends with 2 for a folder without advisories', () => {
    expect(readAdvisories(folderWith(undefined), locked).code).toBe(2);
  });

  it('judges the lock file', async () => {
    const folder = folderWith(JSON.stringify(about('yaml', [{ introduced: '0' }])));
    const child = spawn(process.execPath, [join(import.meta.dirname, 'audit.ts'), '--osv', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    expect(await text(child.stdout)).toMatch(/^TEST-1 {2}yaml \d+\.\d+\.\d+: Reads too much$/m);
    expect(await closed).toEqual([1, null]);
  });

  function folderWith(content: string | undefined): string {
    const folder = mkdtempSync(join(tmpdir(), 'platform-osv-'));
    folders.push(folder);
    if (content !== undefined) writeFileSync(join(folder, 'one.json'), content);
    return folder;
  }
  const folders: string[] = [];
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));
});
