import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { findProofs } from './find-proofs.ts';
import { proofProgress } from './proof-progress.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platform-proofs-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function file(path: string, text: string): Promise<void> {
  const full = join(folder, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, text);
}

const proof = (name: string): string => `
  export const name = '${name}';
  export const describe = 'Even numbers are even.';
  export async function prove({ seed, share }) { return { figure: \`\${seed} \${share}\`, holds: true }; }
`;

describe('proofs', () => {
  it('are found beside specs and in apps, by the name they give themselves', async () => {
    await file('libs/rpc/src/deep/first.proof.ts', proof('first'));
    await file('apps/e2e/proofs/second.proof.ts', proof('second'));
    await file('apps/e2e/node_modules/other/third.proof.ts', proof('third'));
    const proofs = await findProofs(folder);
    expect([...proofs.keys()].sort()).toEqual(['first', 'second']);
    const result = await proofs.get('second')?.prove({ seed: 7, share: 0.5, report: () => undefined });
    expect(result).toEqual({ figure: '7 0.5', holds: true });
  });

  it('must be complete', async () => {
    await file('apps/e2e/proofs/half.proof.ts', 'export const name = "half";');
    await expect(findProofs(folder)).rejects.toThrow('half.proof.ts');
  });

  it('must differ in name', async () => {
    await file('apps/e2e/proofs/one.proof.ts', proof('one'));
    await file('apps/e2e/proofs/two.proof.ts', proof('one'));
    await expect(findProofs(folder)).rejects.toThrow('two.proof.ts');
  });
});

describe('the progress of a proof', () => {
  it('is kept per name, seed and share, until the proof is done', async () => {
    const progress = proofProgress(join(folder, 'kept'), 'one', 7, 1);
    await expect(progress.load()).resolves.toBeUndefined();
    await progress.save({ done: 10 });
    await progress.save({ done: 20 });
    await expect(proofProgress(join(folder, 'kept'), 'one', 7, 1).load()).resolves.toEqual({ done: 20 });
    await expect(proofProgress(join(folder, 'kept'), 'one', 8, 1).load()).resolves.toBeUndefined();
    await progress.clear();
    await expect(progress.load()).resolves.toBeUndefined();
  });
});
