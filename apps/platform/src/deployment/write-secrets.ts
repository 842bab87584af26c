import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openState, type State } from '@platform/backing';
import { openOwnNamespace, type OwnNamespace, readSecret, withoutConflict, writeSecret } from '@platform/kubernetes';
import { deadlineIn } from '@platform/service';
import { CommandFault } from '../command-fault.ts';
import type { Environment } from '../settings.ts';
import type { PartFiles } from './parts.ts';

const callMs = 10_000;

/**
 * Writes the files of each wanted part as a Secret `{prefix}-{part}` in this process's namespace. First stores new
 * generated values in `{prefix}-state`. If two processes generate values at once, both use the values that were stored
 * first.
 * @throws CommandFault outside a pod; Fault when the API server fails; also the errors of `describe`
 */
export async function writeSecrets(
  prefix: string, wanted: (part: string) => boolean, environment: Environment,
  describe: (state: State) => Promise<PartFiles>,
): Promise<PartFiles> {
  await using own = await openOwnNamespace(environment);
  if (own === undefined) {
    throw new CommandFault('This process does not run in a pod', 'Run the command as a Job, or use --folder.');
  }
  const parts = await withoutConflict(() => keepState(own, `${prefix}-state`, describe));
  const written = new Map([...parts].filter(([part]) => wanted(part)));
  for (const [part, files] of written) {
    await withoutConflict(async () => {
      const name = `${prefix}-${part}`;
      const before = await readSecret(own, name, deadlineIn(callMs));
      await writeSecret(own, name, Object.entries(files), before, deadlineIn(callMs));
    });
  }
  return written;
}

/**
 * Calls `describe` with a state folder that contains the values of the Secret `name`. If `describe`
 * generates new values, stores them in the Secret.
 * @throws Conflicted
 */
async function keepState(own: OwnNamespace, name: string, describe: (state: State) => Promise<PartFiles>) {
  const home = await mkdtemp(join(tmpdir(), 'platform-'));
  try {
    const state = await openState(home);
    const kept = await readSecret(own, name, deadlineIn(callMs));
    for (const [key, text] of kept?.texts ?? []) await writeFile(state.secretFile(key), text, { mode: 0o600 });
    const parts = await describe(state);
    const made = (await readdir(state.secrets)).filter((key) => kept?.texts.has(key) !== true);
    if (made.length > 0) {
      const texts = made.map(async (key) => [key, await readFile(state.secretFile(key), 'utf8')] as const);
      await writeSecret(own, name, await Promise.all(texts), kept, deadlineIn(callMs));
    }
    return parts;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
