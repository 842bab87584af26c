export type { Proof, ProofOptions, ProofResult } from './proof.ts';
export { seeded, type SeededRandom } from './seeded.ts';
