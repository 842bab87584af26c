import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { platform } from '../api/client.ts';
import { Failure } from '../ui/failure.tsx';
import { useKept } from '../ui/kept.ts';
import { onSubmit } from '../ui/submit.ts';
import { rememberPage } from './ways.ts';

export function ByMail() {
  const [email, setEmail] = useKept('e-mail', '', 'page');
  const ask = useMutation({
    mutationFn: () => platform.call('askForSignIn', { body: { email: email.trim() } }),
    onSuccess: rememberPage,
  });
  return (
    <form onSubmit={onSubmit(() => ask.mutate())} aria-label="Sign in by mail">
      <Stack>
        <TextInput
          label="E-mail address"
          type="email"
          required
          autoComplete="email"
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        {ask.error && <Failure error={ask.error} />}
        {ask.isSuccess && <LookForMail what="If the address has an account, a link is on its way." />}
        <Button type="submit" loading={ask.isPending}>Mail me a link</Button>
      </Stack>
    </form>
  );
}

export function LookForMail({ what }: { what: string }) {
  return (
    <Alert color="blue" variant="light" title="Look at your mailbox" role="status">
      {what} The link works once, in this browser only.
    </Alert>
  );
}
