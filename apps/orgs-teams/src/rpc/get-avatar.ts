import type { AvatarAddress, GetAvatarRequest } from '@platform/proto/orgs/v1/avatar';
import type { Handler } from '@platform/rpc';
import { avatarUrl, organizationBehind } from '../convert.ts';
import type { Parts } from '../parts.ts';

/** GET /orgs/{orgname}/avatar/ (spec §4.13). */
export function getAvatar({ config }: Parts): Handler<GetAvatarRequest, AvatarAddress> {
  return async (_request, { organization }) => {
    return { url: avatarUrl(organizationBehind(organization!).avatar, config.baseUrl) };
  };
}
