import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultCacheDirectory } from '@platform/backing';

const run = promisify(execFile);
const requirements = join(import.meta.dirname, '../../attacks/requirements.txt');

/** Checks that contradict promises of the platform, each with the reason. */
const checksLeftOut: Readonly<Record<string, string>> = {
  positive_data_acceptance:
    'what fits the schema may still be refused by a rule: names, roles, states, two tokens (open-points 1.3, 1.6)',
};

export interface SchemathesisOptions {
  readonly baseUrl: string;
  readonly token: string;
  /** Fixed parameters of every case, such as `path.orgname`; Schemathesis generates the others. */
  readonly known?: Readonly<Record<string, string | number>>;
  readonly seed: number;
  /** Most cases of one kind per operation. */
  readonly maxExamples: number;
}

export interface SchemathesisResult {
  readonly cases: number;
  /** Answers that are forbidden or contradict the document, with their requests; empty if there are none. */
  readonly failures: readonly string[];
}

/** Runs Schemathesis, once it is installed. */
export type Schemathesis = (options: SchemathesisOptions) => Promise<SchemathesisResult>;

/**
 * Returns the Schemathesis that apps/e2e/attacks/requirements.txt pins, installed into the user's cache on first use.
 * Prints the reason and returns undefined if Python 3.10 or later or its packages are unavailable.
 */
export async function findSchemathesis(report: (line: string) => void): Promise<Schemathesis | undefined> {
  const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = join(defaultCacheDirectory(process.env), 'schemathesis', wanted);
  const isComplete = join(folder, 'complete');
  if (!existsSync(isComplete)) {
    try {
      rmSync(folder, { recursive: true, force: true });
      await run('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']);
      await run('python3', ['-m', 'venv', folder]);
      const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', requirements];
      await run(join(folder, 'bin/python'), install, { timeout: 240_000 });
      writeFileSync(isComplete, '');
    } catch (error) {
      const [why] = String((error as { stderr?: string }).stderr || error).trim().split('\n').slice(-1);
      report(`Schemathesis is left out: it needs Python 3.10 or later with venv and its packages (${why}).`);
      return undefined;
    }
  }
  return (options) => attack(join(folder, 'bin/st'), options);
}

async function attack(
  program: string, { baseUrl, token, known = {}, seed, maxExamples }: SchemathesisOptions,
): Promise<SchemathesisResult> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-schemathesis-'));
  const reportFile = join(folder, 'report.json');
  const settings = Object.entries(known).map(([name, value]) => `"${name}" = ${JSON.stringify(value)}\n`);
  writeFileSync(join(folder, 'schemathesis.toml'), `[parameters]\n${settings.join('')}`);
  try {
    const args = [
      ...['run', `${baseUrl}/api/v1/openapi.json`, '--url', baseUrl, '--header', `Authorization: Bearer ${token}`],
      ...['--checks', 'all', '--exclude-checks', Object.keys(checksLeftOut).join(',')],
      ...['--phases', 'examples,coverage,fuzzing,stateful', '--mode', 'all', '--seed', String(seed)],
      ...['--max-examples', String(maxExamples), '--request-timeout', '30', '--generation-database', 'none'],
      ...['--generation-with-security-parameters', 'false', '--continue-on-failure', '--no-shrink'],
      ...['--suppress-health-check', 'all', '--warnings', 'off', '--no-color'],
      ...['--report', 'json', '--report-json-path', reportFile],
    ];
    const { stdout } = await run(program, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }).catch(
      (error: { stdout: string; code?: number }) => {
        // 1 means findings; any other code means that it did not run.
        if (error.code !== 1) throw error as unknown as Error;
        return error;
      },
    );
    const { cases, failures } = readReport(readFileSync(reportFile, 'utf8'));
    return { cases, failures: failures.length > 0 ? [...failures, stdout.slice(0, 8_000)] : [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The part of the report that is read here. */
type Report = { complete: boolean; test_cases: { generated: number }; failures: unknown[]; errors: unknown[] };

function readReport(text: string): SchemathesisResult {
  const { complete, test_cases: { generated }, failures, errors } = JSON.parse(text) as Report;
  const found = [...failures, ...errors].map((one) => JSON.stringify(one).slice(0, 2_000));
  return { cases: generated, failures: complete ? found : [...found, 'the run ended early'] };
}
