import type { Database } from '@platform/postgres';
import type { FileStore } from '@platform/files';
import { deadlineIn } from '@platform/service';
import { forgetPicture, pictureKey, readRemovablePictures } from '../store/pictures.ts';

/** Removes the files of pictures that no account has any more. Replicas may do it at once: each step is repeatable. */
export async function removePictures(database: Database, files: FileStore, stopping: AbortSignal): Promise<void> {
  for (;;) {
    const names = await readRemovablePictures(database);
    for (const name of names) {
      if (stopping.aborted) return;
      await files.remove(pictureKey(name), deadlineIn(10_000, stopping));
      await forgetPicture(database, name);
    }
    if (names.length === 0) return;
  }
}
