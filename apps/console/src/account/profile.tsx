import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { platform } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { useProviders } from '../sign-in/ways.ts';
import { Facts } from '../ui/facts.tsx';
import { Failure } from '../ui/failure.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Moment } from '../ui/moment.tsx';
import { Read } from '../ui/read.tsx';
import { ways } from './sessions.tsx';

/** The profile of the signed-in user. Here, a user cannot change the user name or the e-mail address. */
export function Profile() {
  const session = useSession().data;
  const [isAsked, ask] = useState(false);
  if (!session) return null;
  const { via, expiresAt } = session;
  return (
    <Read what="Your profile" queryKey={['user']} load={() => platform.call('getUser')}>
      {(user) => (
        <Stack>
          <Facts
            of={[
              ['User name', user.login],
              ['Full name', user.full_name],
              ['E-mail', user.email],
              ['Website', user.website],
              ['Location', user.location],
              ['About', user.description],
              ['Language', user.language],
              ['Site admin', user.is_admin ? 'Yes' : 'No'],
              ['Signed in', ways[via] ?? via],
              ['Session ends', <Moment key="end" at={expiresAt} />],
              ['Since', <Moment key="since" at={user.created} />],
            ]}
          />
          <Group><Button variant="default" onClick={() => ask(true)}>Edit</Button></Group>
          <Providers />
          {isAsked && (
            <FormDialog
              title="Edit your profile"
              verb="Save"
              onClose={() => ask(false)}
              said="Your profile is changed"
              of={user.login}
              initial={{
                full_name: user.full_name, website: user.website, location: user.location,
                description: user.description, language: user.language, hide_email: 'unchanged',
              }}
              fields={[
                { name: 'full_name', label: 'Full name' },
                { name: 'website', label: 'Website', placeholder: 'https://' },
                { name: 'location', label: 'Location' },
                { name: 'description', label: 'About', kind: 'long' },
                { name: 'language', label: 'Language', placeholder: 'en-GB' },
                {
                  name: 'hide_email', label: 'Your e-mail address', kind: 'select', required: true,
                  options: [
                    { value: 'unchanged', label: 'As it is' },
                    { value: 'show', label: 'Show it to others' },
                    { value: 'hide', label: 'Hide it from others' },
                  ],
                },
              ]}
              act={({ hide_email, ...rest }) => platform.call('updateUserSettings', {
                body: { ...rest, ...(hide_email !== 'unchanged' && { hide_email: hide_email === 'hide' }) },
              })}
            />
          )}
        </Stack>
      )}
    </Read>
  );
}

/** Buttons that bind the account to a provider. For this, the browser goes to the provider and returns. */
function Providers() {
  const { data = [], error } = useProviders();
  const bind = useMutation({
    mutationFn: (provider: string) =>
      platform.call('bindIdentity', { parameters: { provider }, body: { to: '/account' } }),
    onSuccess: ({ location: address }) => location.assign(address),
  });
  if (error) return <Failure error={error} what="The list of providers" />;
  if (data.length === 0) return null;
  return (
    <>
      <Group>
        {data.map(({ name, title }) => (
          <Button key={name} variant="default" loading={bind.isPending} onClick={() => bind.mutate(name)}>
            Sign in with {title} from now on
          </Button>
        ))}
      </Group>
      {bind.error && <Failure error={bind.error} />}
    </>
  );
}
