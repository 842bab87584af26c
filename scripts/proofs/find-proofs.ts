import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Proof } from '@platform/testing';

/**
 * Finds every `*.proof.ts` of libs/ and apps/, by name.
 *
 * @param folder the repository's root.
 * @throws Error if a proof file lacks one of its three exports, or two proofs have the same name.
 */
export async function findProofs(folder: string): Promise<Map<string, Proof>> {
  const proofs = new Map<string, Proof>();
  const exclude = (entry: { name: string }): boolean => entry.name === 'node_modules';
  const files = globSync('{libs,apps}/**/*.proof.ts', { cwd: folder, withFileTypes: true, exclude })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) {
    const loaded: unknown = await import(pathToFileURL(file).href);
    if (!isProof(loaded)) {
      throw new Error(`${file} must export name, describe and prove (Proof of @platform/testing).`);
    }
    if (proofs.has(loaded.name)) {
      throw new Error(`${file}: another proof is called ${loaded.name}.`);
    }
    proofs.set(loaded.name, loaded);
  }
  return proofs;
}

function isProof(loaded: unknown): loaded is Proof {
  const proof = loaded as Partial<Proof>;
  return typeof proof.name === 'string' && typeof proof.describe === 'string' && typeof proof.prove === 'function';
}
