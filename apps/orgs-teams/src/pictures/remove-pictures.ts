import type { FileStore } from '@platform/files';
import { runNow } from '@platform/jobs';
import type { Database } from '@platform/postgres';
import type { AvatarServiceService } from '@platform/proto/orgs/v1/avatar';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { dropPicture, forgetPicture, pictureKey, readRemovablePictures } from './store.ts';

/** Name of the schedule that removes unused pictures. A change of a picture also runs the schedule (`runNow`). */
export const removePictures = 'remove-pictures';

/** Removes files of pictures that no account uses. Each step can be repeated. */
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

/** POST /orgs/{orgname}/avatar/delete (spec §4.13, open-points 3.1). Repeating it changes nothing. */
export function deleteAvatar({ write }: Parts): Handler<typeof AvatarServiceService.deleteAvatar> {
  return async (_request, context) => {
    const { id } = context.account;
    await write(context, [lock.structure(id)], async (work) => {
      if (!(await dropPicture(work, id))) return;
      work.audit({ action: 'organization.delete_avatar', object: `organization:${id}`, organizationId: id });
      work.effect(runNow(removePictures));
    });
    return {};
  };
}
