import { notFound } from '@platform/faults';
import type { AvatarServiceService } from '@platform/proto/orgs/v1/avatar';
import type { Handler } from '@platform/rpc';
import { avatarUrl } from '../accounts/convert.ts';
import type { Parts } from '../parts.ts';
import { organizationBehind } from '../standing/convert.ts';
import { identicon } from './identicon.ts';
import { findPicture, pictureKey } from './store.ts';

/** GET /orgs/{orgname}/avatar/ (spec §4.13). */
export function getAvatar({ config }: Parts): Handler<typeof AvatarServiceService.getAvatar> {
  return async (_request, { account }) =>
    ({ url: avatarUrl(organizationBehind(account.standing).avatar, config.baseUrl) });
}

/** GET /avatars/{hash} (open-points 1.2, 3.1): the uploaded picture, or one generated from the account's name. */
export function getPicture({ database, files }: Parts): Handler<typeof AvatarServiceService.getPicture> {
  return async ({ hash }, { deadline }) => {
    const found = /^[0-9a-f]{32}$/.test(hash) ? await findPicture(database, hash, deadline) : undefined;
    if (found === undefined) throw notFound('there is no such picture');
    const data = found.isFile ? await files.get(pictureKey(hash), deadline) : identicon(found.account);
    // The file may be gone, for example because the picture was replaced meanwhile.
    if (data === undefined) throw notFound('there is no such picture');
    return { contentType: 'image/png', data, extensions: [] };
  };
}
