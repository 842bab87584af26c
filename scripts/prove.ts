// `npm run prove -- <name> [--seed S] [--share X] [--only TEXT] [--fresh]`: runs a proof and prints its figure and
// seed. Without a name, it lists all proofs.
// `--only` repeats the cases whose description contains the text. Some proofs do not support it. An interrupted run
// continues if name, seed and share are the same. `--fresh` starts from the beginning.
// Exit code 0: the proof holds. 1: it does not hold. 2: wrong usage. 3: this machine lacks something, so the proof did
// not run, or only in part.
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ProofResult, withServers } from '@platform/testing';
import { root } from './checks/run-command.ts';
import { findProofs } from './proofs/find-proofs.ts';
import { proofProgress, verdictOf } from './proofs/proof-progress.ts';


const usage = 'npm run prove -- <name> [--seed <integer>] [--share <0 to 1>] [--only <text>] [--fresh]';
process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = readArguments();
  const proofs = await findProofs(root);
  const [name] = positionals;
  if (name === undefined) {
    const width = Math.max(0, ...[...proofs.keys()].map((key) => key.length));
    console.log(`${usage}\n`);
    for (const proof of proofs.values()) {
      console.log(`${proof.name.padEnd(width)}  ${proof.describe}`);
    }
    return 0;
  }
  const proof = proofs.get(name);
  const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
  const share = Number(values.share ?? 1);
  if (proof === undefined || !Number.isSafeInteger(seed) || seed < 0 || !(share > 0 && share <= 1)) {
    console.error(proof === undefined ? `No proof is called ${name}. Without a name, the command lists all proofs.` : usage);
    return 2;
  }
  const { only } = values;
  if (only !== undefined && proof.selects !== true) {
    console.error(`The proof ${name} does not support --only.`);
    return 2;
  }

  const progress = proofProgress(join(root, 'node_modules/.cache/platform/proofs'), name, seed, share);
  if (values.fresh === true) {
    await progress.clear();
  }
  const resume = await progress.load();
  const again = [
    `npm run prove -- ${name} --seed ${seed}`, ...(share === 1 ? [] : [`--share ${share}`]),
    ...(only === undefined ? [] : [`--only '${only}'`]),
  ].join(' ');
  console.log(`${proof.describe}\n${resume === undefined ? 'begins' : 'goes on'}: ${again}`);
  const begun = performance.now();
  const report = (line: string): void => console.log(`${elapsed(begun)}  ${line}`);
  const prove = (): Promise<ProofResult> =>
    proof.prove({ seed, share, only, report, resume, checkpoint: (state) => progress.save(state) });
  const result = proof.servers === true ? await withServers(report, prove) : await prove();
  await progress.clear();
  for (const counterexample of result.counterexamples ?? []) {
    console.log(`  ${counterexample}`);
  }
  console.log(`${name}: ${result.figure} (seed ${seed}, share ${share}, ${elapsed(begun)})`);
  const { says, exitCode } = verdictOf(result);
  console.log(says);
  return exitCode;
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        seed: { type: 'string' }, share: { type: 'string' }, only: { type: 'string' }, fresh: { type: 'boolean' },
      },
    });
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    process.exit(2);
  }
}

function elapsed(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
