/** A measurement that takes too long for `npm test`: specs prove a share of it, `npm run prove -- <name>` the whole. */
export interface Proof {
  /** Name for `npm run prove -- <name>`: kebab-case, unique in the repository. */
  readonly name: string;
  /** One sentence: the claim, and the number of cases. */
  readonly describe: string;
  /** Whether the proof asks the harness for servers or services; default false. */
  readonly servers?: boolean;
  /** Whether the proof supports `only`; default false. */
  readonly selects?: boolean;
  prove(options: ProofOptions): Promise<ProofResult>;
}

export interface ProofOptions {
  /** Seed of all random choices: the same seed and share prove the same cases. */
  readonly seed: number;
  /** Share of the whole, in (0, 1]; specs use 0.01 to 0.05. */
  readonly share: number;
  /** Proves only the cases of the seed and share whose description contains this text. */
  readonly only?: string | undefined;
  /** Shows progress to the reader, one line per call. */
  readonly report: (line: string) => void;
  /** The value of the last `checkpoint` call, if an earlier run with this seed and share was interrupted. */
  readonly resume?: unknown;
  /** Stores the progress of the proof as JSON, so that an interrupted run can continue from here. */
  readonly checkpoint?: (state: unknown) => Promise<void>;
}

export interface ProofResult {
  /** The measured figure with its unit, such as `10,000,000 decisions, 0 wrong`. */
  readonly figure: string;
  /** Whether the claim held. Undefined if this machine cannot run the whole proof; `figure` says what is missing. */
  readonly holds: boolean | undefined;
  /** The violations, with everything needed to reproduce them. */
  readonly counterexamples?: readonly string[];
}

/** Names the seed of a run of specs, so that the run can be repeated on a later day. */
export const seedVariable = 'PLATFORM_TEST_SEED';

/** Proves a share with the seed of the run; a spec compares the result with {@link holding}. */
export async function shareOf(
  { name, prove }: Pick<Proof, 'name' | 'prove'>, share: number,
): Promise<Pick<Required<ProofResult>, 'holds' | 'counterexamples'>> {
  const seed = seedOfRun();
  process.stderr.write(`proof  npm run prove -- ${name} --seed ${seed} --share ${share}\n`);
  const { figure, holds, counterexamples = [] } = await prove({ seed, share, report: () => undefined });
  // A failure must describe what was observed.
  return { holds, counterexamples: holds === false && counterexamples.length === 0 ? [figure] : counterexamples };
}

/** `PLATFORM_TEST_SEED`, else the UTC day as a number, such as 20261127, so that each day proves other cases. */
export function seedOfRun(now = new Date()): number {
  const named = process.env[seedVariable] ?? '';
  return named === '' ? Number(now.toISOString().slice(0, 10).replaceAll('-', '')) : Number(named);
}

/** The result of a proof whose claim holds. */
export const holding = { holds: true, counterexamples: [] } as const;
