import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';

export function NotFound() {
  return (
    <Page title="There is no such page">
      <Empty
        title="Nothing is at this address"
        action={<Button component={Link} to="/" mt="sm">Go to the start</Button>}
      >
        The address may be mistyped, or the page no longer exists.
      </Empty>
    </Page>
  );
}
