import { Button, PasswordInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { signInByToken } from '../api/session.ts';
import { useChange } from '../ui/act.tsx';
import { Failure } from '../ui/failure.tsx';
import { onSubmit } from '../ui/submit.ts';

export function ByToken() {
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
          description="The console exchanges the token for a session, and does not store the token."
          visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
        />
        {enter.error && <Failure error={enter.error} />}
        <Button type="submit" variant="default" loading={enter.isPending}>Sign in</Button>
      </Stack>
    </form>
  );
}
