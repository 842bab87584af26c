import { useSession } from '../api/session.ts';
import { Facts } from '../ui/facts.tsx';
import { Moment } from '../ui/moment.tsx';
import { Page } from '../ui/page.tsx';

const ways = { token: 'By an access token', mail: 'By a mail', oidc: 'By a provider', link: 'By a link' } as const;

/** Who the person is, and how they are signed in. */
export function Account() {
  const session = useSession().data;
  if (!session) return null;
  const { user, via, expiresAt } = session;
  return (
    <Page title="Account">
      <Facts
        of={[
          ['User name', user.login],
          ['Full name', user.full_name],
          ['E-mail', user.email],
          ['Website', user.website],
          ['Location', user.location],
          ['Site admin', user.is_admin ? 'Yes' : 'No'],
          ['Signed in', ways[via] ?? via],
          ['Session ends', <Moment key="end" at={expiresAt} />],
          ['Since', <Moment key="since" at={user.created} />],
        ]}
      />
    </Page>
  );
}
