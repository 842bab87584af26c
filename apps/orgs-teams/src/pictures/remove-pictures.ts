import type { FileStore } from '@platform/files';
import type { Database } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { forgetPicture, pictureKey, readRemovablePictures } from './store.ts';

/** The schedule that removes pictures; a write that replaces one runs it at once (`runNow`). */
export const removePictures = 'remove-pictures';

/** Removes the files of pictures that no account has any more. Each step is repeatable. */
export async function removeUnusedPictures(database: Database, files: FileStore, deadline: Deadline): Promise<void> {
  for (;;) {
    const names = await readRemovablePictures(database);
    for (const name of names) {
      deadline.signal.throwIfAborted();
      await files.remove(pictureKey(name), deadline);
      await forgetPicture(database, name);
    }
    if (names.length === 0) return;
  }
}
