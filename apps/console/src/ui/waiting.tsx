import { Center, Loader, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useIsMutating } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

const wordsAfterMs = 3_000;

/** A spinner. After three seconds, a text says what the page waits for. */
export function Waiting({ what = 'the answer' }: { what?: string }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), wordsAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Center mih={120} role="status" aria-label={`Loading ${what}`}>
      <Stack align="center" gap="xs">
        <Loader size="sm" />
        {isLong && <Text size="sm" c="dimmed">Still waiting for {what} …</Text>}
      </Stack>
    </Center>
  );
}

/** Says after three seconds that a change is still under way, because its button shows only a spinner. */
export function StillWaiting() {
  const isBusy = useIsMutating() > 0;
  useEffect(() => {
    if (!isBusy) return;
    let shown: string | undefined;
    const timer = setTimeout(() => {
      const message = 'Still waiting for the platform …';
      shown = notifications.show({ message, loading: true, autoClose: false, withCloseButton: false });
    }, wordsAfterMs);
    return () => {
      clearTimeout(timer);
      if (shown !== undefined) notifications.hide(shown);
    };
  }, [isBusy]);
  return null;
}
