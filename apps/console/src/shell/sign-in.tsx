import {
  Alert,
  Anchor,
  Button,
  Card,
  Divider,
  Group,
  PasswordInput,
  Stack,
  Tabs,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconMail } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { platform, queries } from '../api/client.ts';
import { followLink, providerAddress, signInByMail, signInByToken, signUp, useProviders } from '../api/session.ts';
import { useChange } from '../ui/act.tsx';
import { Failure } from '../ui/failure.tsx';
import { given } from '../ui/values.ts';
import { Waiting } from '../ui/waiting.tsx';
import { useBranding } from './root.tsx';

/** Signs a person in: by a mail, a provider or a token. The address stays, so a deep link survives it. */
export function SignIn({ over = false }: { over?: boolean }) {
  const { data: providers = [] } = useProviders();
  const { data: branding } = useBranding();
  const { data: registration } = useQuery({
    queryKey: ['registration'],
    queryFn: () => platform.call('getRegistration'),
    enabled: !over,
  });
  const [isNew, setNew] = useState(false);
  const name = branding?.appName || 'Platform';
  useEffect(() => {
    if (!over) document.title = `Sign in · ${name}`;
  }, [name, over]);
  const ways = (
    <Stack>
      {over && <Text size="sm">Sign in again to go on. What you have typed is still here.</Text>}
      {isNew ? (
        <SignUp />
      ) : (
        <>
          {providers.map((provider) => (
            <Button key={provider.name} component="a" href={providerAddress(provider)} variant="default">
              Go on with {provider.title}
            </Button>
          ))}
          {providers.length > 0 && <Divider label="or" />}
          <Tabs defaultValue="mail" keepMounted={false}>
            <Tabs.List grow mb="md">
              <Tabs.Tab value="mail">Mail</Tabs.Tab>
              <Tabs.Tab value="token">Access token</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="mail">
              <ByMail />
            </Tabs.Panel>
            <Tabs.Panel value="token">
              <ByToken />
            </Tabs.Panel>
          </Tabs>
        </>
      )}
      {!over && registration?.disableRegistration === false && (
        <Text size="sm" ta="center">
          {isNew ? 'You have an account?' : 'You are new here?'}{' '}
          <Anchor component="button" type="button" size="sm" underline="always" onClick={() => setNew(!isNew)}>
            {isNew ? 'Sign in' : 'Sign up'}
          </Anchor>
        </Text>
      )}
    </Stack>
  );
  if (over) return ways;
  return <Framed title={isNew ? `Sign up for ${name}` : `Sign in to ${name}`}>{ways}</Framed>;
}

function Framed({ title, children }: { title: string; children: ReactNode }) {
  const { data } = useBranding();
  return (
    <Stack w="100%" maw={420} gap="lg">
      <Group justify="center" gap="sm">
        {data?.logo.startsWith('data:image/') && (
          <img src={data.logo} alt="" height={40} style={{ maxWidth: 160, objectFit: 'contain' }} />
        )}
        <Title order={1} fz={24} ta="center">
          {title}
        </Title>
      </Group>
      <Card withBorder shadow="sm" p="xl" radius="lg">
        {children}
      </Card>
      <Text size="xs" c="dimmed" ta="center">
        <Anchor
          href={`${document.querySelector<HTMLMetaElement>('meta[name="platform-base"]')?.content ?? ''}/api/swagger`}
          size="xs"
          underline="always"
        >
          API reference
        </Anchor>
      </Text>
    </Stack>
  );
}

function onSubmit(act: () => void) {
  return (event: FormEvent) => {
    event.preventDefault();
    act();
  };
}

function ByMail() {
  const [email, setEmail] = useState('');
  const send = useChange(() => signInByMail(email));
  if (send.isSuccess) {
    return (
      <Alert icon={<IconMail />} color="green" variant="light" title="Look into your mail">
        If an account has the address {email}, a link is on its way. Open it in this browser within 15 minutes.
      </Alert>
    );
  }
  return (
    <form onSubmit={onSubmit(() => send.mutate(undefined))} aria-label="Sign in by mail">
      <Stack>
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="email"
          required
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        {send.error && <Failure error={send.error} />}
        <Button type="submit" loading={send.isPending}>
          Send me a link
        </Button>
      </Stack>
    </form>
  );
}

function ByToken() {
  const [token, setToken] = useState('');
  const enter = useChange(() => signInByToken(token.trim()));
  return (
    <form onSubmit={onSubmit(() => enter.mutate(undefined))} aria-label="Sign in by token">
      <Stack>
        <PasswordInput
          label="Access token"
          required
          autoComplete="off"
          value={token}
          onChange={({ currentTarget }) => setToken(currentTarget.value)}
          description="It is exchanged for a session and not kept."
          visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
        />
        {enter.error && <Failure error={enter.error} />}
        <Button type="submit" loading={enter.isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

function SignUp() {
  const [values, setValues] = useState({ username: '', email: '', full_name: '' });
  const send = useChange(() => signUp(given(values) as typeof values));
  const input = (name: keyof typeof values) => ({
    name,
    value: values[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setValues({ ...values, [name]: value }),
  });
  if (send.isSuccess) {
    return (
      <Alert icon={<IconMail />} color="green" variant="light" title="Look into your mail">
        Open the link in the mail to {values.email} in this browser within an hour.
      </Alert>
    );
  }
  return (
    <form onSubmit={onSubmit(() => send.mutate(undefined))} aria-label="Sign up">
      <Stack>
        <TextInput label="User name" required autoComplete="username" {...input('username')} />
        <TextInput label="E-mail address" type="email" required autoComplete="email" {...input('email')} />
        <TextInput label="Full name" autoComplete="name" {...input('full_name')} />
        {send.error && <Failure error={send.error} />}
        <Button type="submit" loading={send.isPending}>
          Sign up
        </Button>
      </Stack>
    </form>
  );
}

/** Spends the code of a link, once the person is here; an invitation may want a name first. */
export function FollowLink({ kind, code, onEnd }: { kind: string; code: string; onEnd: () => void }) {
  const [names, setNames] = useState({ username: '', full_name: '' });
  const asks = kind === 'invitation';
  const follow = useChange(
    () => followLink(kind, code, asks ? given(names) : {}),
    () => {
      history.replaceState(null, '', `${location.pathname}${location.search}`);
      onEnd();
    },
  );
  const { mutate } = follow;
  useEffect(() => {
    if (!asks) mutate(undefined);
  }, [asks, mutate]);
  if (follow.error) {
    return (
      <main className="outside">
        <Framed title="This link does not work">
          <Stack>
            <Failure error={follow.error} />
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
  if (!asks) return <Waiting what="the sign-in" />;
  return (
    <main className="outside">
      <Framed title="You are invited">
        <form onSubmit={onSubmit(() => mutate(undefined))} aria-label="Accept the invitation">
          <Stack>
            <Text size="sm">If you have no account yet, choose a name for it. If you have one, leave this empty.</Text>
            <TextInput
              label="User name"
              value={names.username}
              onChange={({ currentTarget: { value } }) => setNames({ ...names, username: value })}
            />
            <TextInput
              label="Full name"
              value={names.full_name}
              onChange={({ currentTarget: { value } }) => setNames({ ...names, full_name: value })}
            />
            <Button type="submit" loading={follow.isPending}>
              Join
            </Button>
          </Stack>
        </form>
      </Framed>
    </main>
  );
}
