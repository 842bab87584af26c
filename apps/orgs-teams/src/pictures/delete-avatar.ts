import type { AvatarServiceService } from '@platform/proto/orgs/v1/avatar';
import { runNow } from '@platform/jobs';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { removePictures } from './remove-pictures.ts';
import { dropPicture } from './store.ts';

/** POST /orgs/{orgname}/avatar/delete (spec §4.13, open-points 3.1): repeatable. */
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
