import { Alert, Anchor, Button, Divider, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useBrand } from '../api/branding.ts';
import { Failure } from '../ui/failure.tsx';
import { ByMail } from './by-mail.tsx';
import { ByToken } from './by-token.tsx';
import { Framed } from './framed.tsx';
import { SignUp } from './sign-up.tsx';
import { addressOfProvider, refusalOf, useProviders } from './ways.ts';

/** Shows the ways to sign in, or the form for a new account. The address does not change, so that deep links work. */
export function SignIn({ over = false }: { over?: boolean }) {
  const { name } = useBrand();
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
      <Refused
        title="You are not signed in"
        otherwise={'The provider did not sign you in, or is not bound to your account. '
          + 'To bind it, sign in another way, and open the page Account.'}
      />
      <Providers />
      <ByMail />
      <Divider label="or" />
      <ByToken />
    </Stack>
  );
}

const refusals: Readonly<Record<string, string>> = {
  link_expired: 'The sign-in has expired, was already used, or belongs to another browser. Try again.',
  registration_disabled: 'There is no account for you, and sign-up is disabled. Ask somebody to invite you.',
  invalid_domain: 'There is no account for you, and addresses of your domain cannot sign up here.',
  account_disabled: 'Signing in is prohibited for your account.',
  unavailable: 'The provider, or a part of the platform, is not available at the moment. Try again later.',
};

/** Shows why a sign-in was refused. Shows `otherwise` for an unknown reason, and nothing without a refusal. */
export function Refused({ title, otherwise }: { title: string; otherwise: string }) {
  const [reason] = useState(() => refusalOf(location.hash));
  useEffect(() => {
    if (reason !== undefined) history.replaceState(null, '', `${location.pathname}${location.search}`);
  }, [reason]);
  if (reason === undefined) return null;
  return <Alert color="red" variant="light" title={title} role="alert">{refusals[reason] ?? otherwise}</Alert>;
}

function Providers() {
  const { data = [], error } = useProviders();
  if (error) return <Failure error={error} what="The list of providers" />;
  return data.map((provider) => (
    <Button key={provider.name} component="a" href={addressOfProvider(provider)} variant="default">
      Sign in with {provider.title}
    </Button>
  ));
}
