import { Button, Group } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { CodeAway } from '../api/fetched.ts';
import { Failure } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';

const tryAgainMs = 5_000;

/**
 * Replaces a screen that failed. If the screen's code could not be fetched because the gateway is unavailable
 * (`CodeAway`), tries again every few seconds.
 */
export function Broken({ error }: { error: unknown }) {
  const router = useRouter();
  const retry = () => void router.invalidate();
  useEffect(() => {
    if (!(error instanceof CodeAway)) return;
    const timer = setInterval(retry, tryAgainMs);
    return () => clearInterval(timer);
  }, [error]);
  return (
    <Page title={error instanceof CodeAway ? 'This screen is unavailable' : 'This screen failed'}>
      <Failure error={error} retry={retry} what="The screen" />
      <Group><Button variant="default" onClick={() => location.reload()}>Reload the page</Button></Group>
    </Page>
  );
}
