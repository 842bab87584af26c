import type { AvatarServiceService } from '@platform/proto/orgs/v1/avatar';
import type { Handler } from '@platform/rpc';
import { avatarUrl } from '../accounts/convert.ts';
import type { Parts } from '../parts.ts';
import { organizationBehind } from '../standing/convert.ts';

/** GET /orgs/{orgname}/avatar/ (spec §4.13). */
export function getAvatar({ config }: Parts): Handler<typeof AvatarServiceService.getAvatar> {
  return async (_request, { account }) => {
    return { url: avatarUrl(organizationBehind(account.standing).avatar, config.baseUrl) };
  };
}
