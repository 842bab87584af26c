import type { MemberServiceService } from '@platform/proto/orgs/v1/member';
import { Fault, type Handler } from '@platform/rpc';
import { slugKey } from '@platform/values';
import type { Parts } from '../parts.ts';
import { toProfile } from './convert.ts';
import { readProfile } from './profile.ts';

/** GET /orgs/{orgname}/user/{username} (spec §4.13, open-points 3.3). One refusal for all who have no profile. */
export function getProfile({ config, database }: Parts): Handler<typeof MemberServiceService.getProfile> {
  return async ({ username }, { caller, deadline }) => {
    const key = slugKey(username);
    const row = key === undefined ? undefined : await readProfile(database, key, deadline);
    if (row === undefined) throw new Fault('INVALID_VALUE', 'there is no active user of this name');
    return toProfile(row, { caller, ownsList: false }, config);
  };
}
