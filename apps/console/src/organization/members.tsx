import { useState } from 'react';
import type { User } from '@platform/client';
import { csvOf, platform } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { useActing } from '../api/acting.ts';
import { Confirm, done, useChange } from '../ui/act.tsx';
import { DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';
import { Invitations } from './invitations.tsx';
import { memberColumns } from './member-columns.tsx';

/** The members and invitations of the organization. */
export function Members() {
  const { org, may } = useActing();
  const me = useSession().data?.user;
  const [removed, remove] = useState<User>();
  const show = useChange(
    (is: 'public' | 'private') =>
      platform.call('changeMember', { parameters: { orgname: org, action: is, uid: me!.id } }),
    (_, is) => done(is === 'public' ? 'Your membership is public' : 'Your membership is hidden'),
  );
  return (
    <Page title="Members" about="Everybody in a team is a member. Open a team to add somebody, or invite by mail.">
      {show.error && <Failure error={show.error} />}
      <DataList
        what="members"
        queryKey={['members', org]}
        csv={csvOf('listMembers', { orgname: org })}
        keyOf={({ id }) => id}
        columns={memberColumns}
        load={(page) => platform.list('listMembers', { parameters: { orgname: org, ...page } })}
        actions={(user) => [
          user.id === me?.id && { title: 'Show my membership', act: () => show.mutate('public') },
          user.id === me?.id && { title: 'Hide my membership', act: () => show.mutate('private') },
          may('can_remove_member') && user.id !== me?.id
            && { title: 'Remove from the organization', color: 'red', act: () => remove(user) },
        ]}
        empty={<Empty title="No members">Add somebody to a team.</Empty>}
      />
      <Invitations />
      {removed && (
        <Confirm
          title="Remove from the organization"
          verb="Remove"
          onClose={() => remove(undefined)}
          said={`${removed.login} is no longer a member`}
          act={() => platform.call('removeMember', { parameters: { orgname: org, username: removed.login } })}
        >
          {removed.login} leaves all teams of {org} and immediately loses the rights that these teams give.
        </Confirm>
      )}
    </Page>
  );
}
