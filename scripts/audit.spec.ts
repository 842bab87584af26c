import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { readAudit } from './audit-report.ts';

/** Runs the command against a registry that answers every request so. */
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
