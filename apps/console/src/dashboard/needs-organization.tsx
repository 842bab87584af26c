import { Button, Card } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMyOrganizations } from '../api/session.ts';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';
import { Waiting } from '../ui/waiting.tsx';

/** Asks the person to create an organization, because the pages of the dashboard act for an organization. */
export function NeedsOrganization({ title }: { title: string }) {
  const { isPending, data } = useMyOrganizations();
  return (
    <Page title={title}>
      {isPending && <Waiting what="your organizations" />}
      {/* Without data, the shell shows why the organizations could not be read. */}
      {data !== undefined && (
        <Card withBorder>
          <Empty
            title="Create an organization first"
            action={<Button component={Link} to="/" mt="sm">Go to the start</Button>}
          >
            These pages act for an organization, but you are not a member of an organization.
          </Empty>
        </Card>
      )}
    </Page>
  );
}
