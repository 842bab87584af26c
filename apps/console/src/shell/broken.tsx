import { Button, Group } from '@mantine/core';
import { Failure } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';

/** In place of a screen that failed: the rest of the console goes on. */
export function Broken({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <Page title="This screen failed">
      <Failure error={error} retry={reset} what="The screen" />
      <Group>
        <Button variant="default" onClick={() => location.reload()}>
          Reload the page
        </Button>
      </Group>
    </Page>
  );
}
