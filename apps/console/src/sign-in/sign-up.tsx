import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { platform } from '../api/client.ts';
import { useKept } from '../ui/kept.ts';
import { Failure } from '../ui/failure.tsx';
import { onSubmit } from '../ui/submit.ts';
import { AccountFields } from './account-fields.tsx';
import { LookForMail } from './by-mail.tsx';
import { rememberPage } from './ways.ts';

export function SignUp() {
  const [names, setNames] = useKept('names', { username: '', full_name: '' }, 'page');
  const [email, setEmail] = useKept('e-mail', '', 'page');
  const ask = useMutation({
    mutationFn: () => platform.call('signUp', { body: { ...names, email: email.trim() } }),
    onSuccess: rememberPage,
  });
  if (ask.isSuccess) return <LookForMail what="If the address has no account, a link to create one is on its way." />;
  return (
    <form onSubmit={onSubmit(() => ask.mutate())} aria-label="Create an account">
      <Stack>
        <AccountFields value={names} onChange={setNames} />
        <TextInput
          label="E-mail address"
          type="email"
          required
          autoComplete="email"
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        {ask.error && <Failure error={ask.error} />}
        <Button type="submit" loading={ask.isPending}>Create the account</Button>
      </Stack>
    </form>
  );
}
