import { Anchor, Button, Card, Group, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { queries } from '../api/client.ts';
import { followLink, signInByToken } from '../api/session.ts';
import { useChange } from '../ui/act.tsx';
import { Failure } from '../ui/failure.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { useBranding } from './root.tsx';

/** Signs a person in with a token. The address stays, so a deep link survives it. */
export function SignIn({ over = false }: { over?: boolean }) {
  const { data: branding } = useBranding();
  const name = branding?.appName || 'Platform';
  useEffect(() => {
    if (!over) document.title = `Sign in · ${name}`;
  }, [name, over]);
  if (!over) return <Framed title={`Sign in to ${name}`}><ByToken /></Framed>;
  return (
    <Stack>
      <Text size="sm">Sign in again to go on. What you have typed is still here.</Text>
      <ByToken />
    </Stack>
  );
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

/** Spends the code of a link. */
export function FollowLink({ kind, code, onEnd }: { kind: string; code: string; onEnd: () => void }) {
  const { error, mutate } = useChange(
    () => followLink(kind, code),
    () => {
      history.replaceState(null, '', `${location.pathname}${location.search}`);
      onEnd();
    },
  );
  useEffect(() => mutate(undefined), [mutate]);
  if (!error) return <Waiting what="the sign-in" />;
  return (
    <main className="outside">
      <Framed title="This link does not work">
        <Stack>
          <Failure error={error} />
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
