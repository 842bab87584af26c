import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';

export type { Browser, Locator, Page } from 'playwright-core';

/** Names of the program. The headless shell comes first: it shows a page with a third of the CPU time. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Path of an installed Chromium; undefined if there is none. */
export async function findProgramOfChromium(): Promise<string | undefined> {
  for (const name of names) {
    const found = await promisify(execFile)('sh', ['-c', `command -v ${name}`]).catch(() => undefined);
    if (found !== undefined) return found.stdout.trim();
  }
  return undefined;
}

/** Finds an installed Chromium; undefined if there is none. The caller closes each browser that it starts. */
export async function findChromium(): Promise<(() => Promise<Browser>) | undefined> {
  const executablePath = await findProgramOfChromium();
  if (executablePath === undefined) return undefined;
  // Specs run as root in containers, where Chromium's sandbox does not start. Chromium opens only pages of the spec.
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--js-flags=--expose-gc'];
  // The package has 7 MB of code that few specs need.
  const { chromium } = await import('playwright-core');
  return () => chromium.launch({ executablePath, args, timeout: 60_000 });
}
