import { Alert, Anchor, Button, Divider, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useBranding } from '../api/branding.ts';
import { ByMail } from './by-mail.tsx';
import { ByToken } from './by-token.tsx';
import { Framed } from './framed.tsx';
import { SignUp } from './sign-up.tsx';
import { addressOfProvider, readProviders, refusalOf } from './ways.ts';

/** Signs a person in. The address stays, so a deep link survives it. */
export function SignIn({ over = false }: { over?: boolean }) {
  const { data: branding } = useBranding();
  const name = branding?.appName || 'Platform';
  const [isNew, setNew] = useState(false);
  const title = isNew ? `New account at ${name}` : `Sign in to ${name}`;
  useEffect(() => {
    if (!over) document.title = isNew ? `New account · ${name}` : `Sign in · ${name}`;
  }, [name, over, isNew]);
  if (over)
    return (
      <Stack>
        <Text size="sm">Sign in again to go on. What you have typed is still here.</Text>
        <Ways />
      </Stack>
    );
  return (
    <Framed title={title}>
      {isNew ? <SignUp /> : <Ways />}
      <Text size="sm" ta="center" mt="lg">
        {isNew ? 'You have an account?' : 'You have no account?'}{' '}
        <Anchor component="button" type="button" underline="always" onClick={() => setNew(!isNew)}>
          {isNew ? 'Sign in' : 'Create one'}
        </Anchor>
      </Text>
    </Framed>
  );
}

function Ways() {
  return (
    <Stack>
      <Refused />
      <Providers />
      <ByMail />
      <Divider label="or" />
      <ByToken />
    </Stack>
  );
}

const refusals: Readonly<Record<string, string>> = {
  link_expired: 'The sign-in took too long, or was begun in another browser. Try again.',
  registration_disabled: 'There is no account for you, and sign-up is disabled. Ask somebody to invite you.',
  invalid_domain: 'There is no account for you, and addresses of your domain cannot sign up here.',
  account_disabled: 'Signing in is prohibited for your account.',
  unavailable: 'The provider cannot be reached at the moment. Try again later.',
};

/** Why the provider's sign-in ended without a session. */
function Refused() {
  const [reason] = useState(() => refusalOf(location.hash));
  useEffect(() => {
    if (reason !== undefined) history.replaceState(null, '', `${location.pathname}${location.search}`);
  }, [reason]);
  if (reason === undefined) return null;
  return (
    <Alert color="red" variant="light" title="You are not signed in" role="alert">
      {refusals[reason]
        ?? 'The provider did not sign you in, or your account is not bound to it. Sign in another way, and bind it.'}
    </Alert>
  );
}

function Providers() {
  const { data = [] } = useQuery({ queryKey: ['providers'], queryFn: readProviders, staleTime: 300_000 });
  return data.map((provider) => (
    <Button key={provider.name} component="a" href={addressOfProvider(provider)} variant="default">
      Sign in with {provider.title}
    </Button>
  ));
}
