import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openState, removeState, type State } from '@platform/backing';

/** Entries that a reset does not move: the launchers' claims, the settings file, and the folder of moved entries. */
const kept = ['launchers', 'platform.yaml', 'removing'];

/**
 * Opens the state that the launcher has claimed. A reset moves the entries to `removing`, then removes them. The next
 * start completes an interrupted reset.
 * @throws BackingFault STATE_UNUSABLE
 */
export async function openStateFolder(home: string, { reset }: { readonly reset: boolean }): Promise<State> {
  const aside = join(home, 'removing');
  const interrupted = await stat(aside).then(() => true, () => false);
  if (interrupted) await removeState(aside);
  if (reset || interrupted) {
    await mkdir(aside, { recursive: true, mode: 0o711 });
    const entries = (await readdir(home)).filter((name) => !kept.includes(name));
    for (const name of entries) await rename(join(home, name), join(aside, name));
    await removeState(aside);
  }
  return openState(home);
}
