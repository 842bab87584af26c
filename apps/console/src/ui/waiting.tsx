import { Center, Loader, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';

const wordsAfterMs = 3_000;

/** A spinner, which says after three seconds what it waits for. */
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
        {isLong && (
          <Text size="sm" c="dimmed">
            Still waiting for {what} …
          </Text>
        )}
      </Stack>
    </Center>
  );
}
