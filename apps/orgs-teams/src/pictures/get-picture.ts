import type { AvatarServiceService } from '@platform/proto/orgs/v1/avatar';
import { type Handler, notFound } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { identicon } from './identicon.ts';
import { findPicture, pictureKey } from './store.ts';

/** GET /avatars/{hash} (open-points 1.2, 3.1): the uploaded picture, or the one made from the account's name. */
export function getPicture({ database, files }: Parts): Handler<typeof AvatarServiceService.getPicture> {
  return async ({ hash }, { deadline }) => {
    const found = /^[0-9a-f]{32}$/.test(hash) ? await findPicture(database, hash, deadline) : undefined;
    if (found === undefined) throw notFound('there is no such picture');
    const data = found.isFile ? await files.get(pictureKey(hash), deadline) : identicon(found.account);
    // It was replaced while it was being read.
    if (data === undefined) throw notFound('there is no such picture');
    return { contentType: 'image/png', data, extensions: [] };
  };
}
