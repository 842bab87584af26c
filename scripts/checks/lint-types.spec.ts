import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { root } from './run-command.ts';

const planted = `
import { Planted } from './planted.ts';
export class Planted {}
export const one = (planted: Planted): any => planted;
export async function all(kind: 'a' | 'b'): Promise<number> {
  Promise.resolve(1);
  [1].forEach(async () => { await Promise.resolve(); });
  await 3;
  // @ts-ignore
  const x: number = 'a';
  switch (kind) { case 'a': break; }
  try { return Promise.resolve(x); } catch { throw 'text'; }
}
`;

it('each rule that needs types finds a planted mistake', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-lint-'));
  try {
    writeFileSync(join(folder, 'planted.ts'), planted);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({
      compilerOptions: { strict: true, noEmit: true, target: 'esnext', module: 'nodenext', allowImportingTsExtensions: true },
    }));
    const { stdout } = spawnSync(process.execPath, [
      'node_modules/oxlint/bin/oxlint', '--type-aware', '--format=unix', '-c', '.oxlintrc.json', folder,
    ], { cwd: root, encoding: 'utf8' });
    const rules = new Set([...stdout.matchAll(/typescript\(([a-z-]+)\)/g)].map(([, rule]) => rule));
    expect([...rules].sort()).toEqual([
      'await-thenable', 'ban-ts-comment', 'consistent-type-imports', 'no-explicit-any', 'no-floating-promises',
      'no-misused-promises', 'only-throw-error', 'return-await', 'switch-exhaustiveness-check',
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);
