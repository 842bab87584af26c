import { Button, Stack, Text } from '@mantine/core';
import { type AcceptTeamInvitationFields, ApiRefusal } from '@platform/client';
import { useEffect, useState } from 'react';
import { isAway, queries } from '../api/client.ts';
import { useChange } from '../ui/act.tsx';
import { Failure } from '../ui/failure.tsx';
import { onSubmit } from '../ui/submit.ts';
import { Waiting } from '../ui/waiting.tsx';
import { AccountFields } from './account-fields.tsx';
import { Framed } from './framed.tsx';
import { followLink, type FoundLink, rememberedPage } from './ways.ts';

/** Redeems the code of a link. If an invitation needs a new account, asks for a login and a name. */
export function FollowLink({ link, onEnd }: { link: FoundLink; onEnd: () => void }) {
  const [names, setNames] = useState({ username: '', full_name: '' });
  const [isNew, setNew] = useState(false);
  const { error, isPending, mutate } = useChange(
    (account: AcceptTeamInvitationFields) => followLink(link, account),
    () => {
      const page = rememberedPage(link);
      if (page !== undefined) return location.replace(page);
      history.replaceState(null, '', `${location.pathname}${location.search}`);
      onEnd();
    },
  );
  useEffect(() => mutate({}), [mutate]);
  if (!isNew && link.kind === 'invitation' && error instanceof ApiRefusal && error.status === 422) setNew(true);
  if (isNew)
    return (
      <main className="outside">
        <Framed title="You are invited">
          <form onSubmit={onSubmit(() => mutate(names))} aria-label="Accept the invitation">
            <Stack>
              <Text size="sm">Choose your login and your name. Your account gets the address of the invitation.</Text>
              <AccountFields value={names} onChange={setNames} />
              {error && names.username !== '' && <Failure error={error} />}
              <Button type="submit" loading={isPending}>Accept the invitation</Button>
            </Stack>
          </form>
        </Framed>
      </main>
    );
  if (!error) return <Waiting what="the sign-in" />;
  return (
    <main className="outside">
      <Framed title={isAway(error) ? 'You are not signed in yet' : 'This link does not work'}>
        <Stack>
          <Failure error={error} {...(isAway(error) && { retry: () => mutate({}) })} />
          <Button
            onClick={() => {
              history.replaceState(null, '', location.pathname);
              void queries.resetQueries();
              onEnd();
            }}
          >
            Go to the sign-in
          </Button>
        </Stack>
      </Framed>
    </main>
  );
}
