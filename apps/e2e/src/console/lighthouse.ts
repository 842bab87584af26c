import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultCacheDirectory } from '@platform/backing';
import { findProgramOfChromium } from '@platform/testing';
import { ownBlocking, tasksOf, type TraceEvent } from './main-thread.ts';

const run = promisify(execFile);
const version = '13.5.0';
const mostTries = 3;
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

/** Scores from 0 to 100. */
export type Scores = Readonly<Record<(typeof categories)[number], number>>;

export interface Judged {
  readonly scores: Scores;
  /**
   * Largest paint and blocked time in milliseconds, and layout shift as a share of the screen. `blocked` uses elapsed
   * time, which includes waiting for other processes; `own` uses CPU time.
   */
  readonly figures: { readonly lcp: number; readonly blocked: number; readonly own: number; readonly shift: number };
}

/** Audits a page in a desktop browser of its own. */
export type Lighthouse = (url: string, cookie?: string) => Promise<Judged>;

/**
 * Lighthouse, installed into the user's cache on first use because it needs 80 packages of its own. Returns undefined,
 * after reporting why, if it is not available.
 */
export async function findLighthouse(report: (line: string) => void): Promise<Lighthouse | undefined> {
  const chromium = await findProgramOfChromium();
  if (chromium === undefined) {
    report('Lighthouse is left out: there is no Chromium here (Debian: chromium).');
    return undefined;
  }
  const folder = join(defaultCacheDirectory(process.env), 'lighthouse', version);
  const isComplete = join(folder, 'complete');
  if (!existsSync(isComplete)) {
    try {
      rmSync(folder, { recursive: true, force: true });
      const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts'];
      await run('npm', [...install, '--save-exact', `lighthouse@${version}`], { timeout: 240_000 });
      writeFileSync(isComplete, '');
    } catch (error) {
      const [why] = String((error as { stderr?: string }).stderr || error).trim().split('\n').slice(-1);
      report(`Lighthouse is left out: its packages cannot be installed (${why}).`);
      return undefined;
    }
  }
  const program = join(folder, 'node_modules/lighthouse/cli/index.js');
  return async (url, cookie) => {
    for (let again = mostTries; ; again -= 1) {
      try {
        return await judge(program, chromium, url, cookie);
      } catch (error) {
        // On a busy machine Lighthouse sometimes misses the start of its own trace.
        if (again === 1) throw error;
        report(`Lighthouse is run again: ${String((error as { stderr?: string }).stderr || error).trim()}`);
      }
    }
  };
}

async function judge(program: string, chromium: string, url: string, cookie: string | undefined): Promise<Judged> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-lighthouse-'));
  try {
    const [headers, output] = [join(folder, 'headers.json'), join(folder, 'report.json')];
    writeFileSync(headers, JSON.stringify(cookie === undefined ? {} : { Cookie: cookie }), { mode: 0o600 });
    const args = [
      ...[url, '--preset', 'desktop', '--only-categories', categories.join(','), '--extra-headers', headers],
      ...['--output', 'json', '--output-path', output, '--quiet', '--no-enable-error-reporting', '--save-assets'],
      '--chrome-flags=--headless=new --no-sandbox --disable-dev-shm-usage',
    ];
    await run(process.execPath, [program, ...args], {
      timeout: 240_000, cwd: folder, env: { ...process.env, CHROME_PATH: chromium },
    });
    const trace = readFileSync(join(folder, 'report-0.trace.json'), 'utf8');
    const { traceEvents } = JSON.parse(trace) as { readonly traceEvents: readonly TraceEvent[] };
    return judgedOf(JSON.parse(readFileSync(output, 'utf8')) as Report, ownBlocking(tasksOf(traceEvents)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Report {
  readonly runtimeError?: { readonly message: string };
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>;
}

function judgedOf({ runtimeError, categories: judged, audits }: Report, own: number): Judged {
  if (runtimeError) throw new Error(runtimeError.message);
  const amount = (audit: string) => audits[audit]?.numericValue ?? NaN;
  return {
    scores: Object.fromEntries(categories.map((one) => [one, Math.round((judged[one]?.score ?? 0) * 100)])) as Scores,
    figures: {
      lcp: Math.round(amount('largest-contentful-paint')), blocked: Math.round(amount('total-blocking-time')), own,
      shift: Number(amount('cumulative-layout-shift').toFixed(3)),
    },
  };
}
