/** A figure too long for `npm test`: specs prove a share of it, `npm run prove -- <name>` the whole. */
export interface Proof {
  /** What `npm run prove -- <name>` asks for: kebab-case, unique in the repository. */
  readonly name: string;
  /** One sentence: what is claimed, over how many cases. */
  readonly describe: string;
  /** Whether it asks the harness for servers or services; default false. */
  readonly servers?: boolean;
  /** Whether it knows `only`; default false. */
  readonly selects?: boolean;
  prove(options: ProofOptions): Promise<ProofResult>;
}

export interface ProofOptions {
  /** Decides every random choice: the same seed and share prove the same cases. */
  readonly seed: number;
  /** How much of the whole, in (0, 1]; specs use 0.01 to 0.05. */
  readonly share: number;
  /** Proves only the cases of the seed and share whose description has this text. */
  readonly only?: string | undefined;
  /** Shows the reader how far it is; one line each. */
  readonly report: (line: string) => void;
  /** What the last call of `checkpoint` kept, when an earlier run with this seed and share was interrupted. */
  readonly resume?: unknown;
  /** Keeps how far the proof is, as JSON, so that an interrupted run goes on from here. */
  readonly checkpoint?: (state: unknown) => Promise<void>;
}

export interface ProofResult {
  /** The figure with its unit, such as `10,000,000 decisions, 0 wrong`. */
  readonly figure: string;
  /** Undefined where this machine lacks what it takes to try it, or to try it whole; the figure says what. */
  readonly holds: boolean | undefined;
  /** What did not hold, with what is needed to see it again. */
  readonly counterexamples?: readonly string[];
}

/** Names the seed of a run of specs, so that it can be repeated on a later day. */
export const seedVariable = 'PLATFORM_TEST_SEED';

/** What came of a share of a proof, for a spec to hold against {@link holding}. The seed is that of the run. */
export async function shareOf(
  { name, prove }: Pick<Proof, 'name' | 'prove'>,
  share: number,
): Promise<Pick<Required<ProofResult>, 'holds' | 'counterexamples'>> {
  const seed = seedOfRun();
  process.stderr.write(`proof  npm run prove -- ${name} --seed ${seed} --share ${share}\n`);
  const { figure, holds, counterexamples = [] } = await prove({ seed, share, report: () => undefined });
  // A failure must say what was seen.
  return { holds, counterexamples: holds === false && counterexamples.length === 0 ? [figure] : counterexamples };
}

/** `PLATFORM_TEST_SEED`, else the day in UTC as a number, such as 20261127: each day proves other cases. */
export function seedOfRun(now = new Date()): number {
  const named = process.env[seedVariable] ?? '';
  return named === '' ? Number(now.toISOString().slice(0, 10).replaceAll('-', '')) : Number(named);
}

/** A proof that holds. */
export const holding = { holds: true, counterexamples: [] } as const;
