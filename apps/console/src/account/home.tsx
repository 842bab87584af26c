import { Avatar, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { Organization } from '@platform/client';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { fetched } from '../api/fetched.ts';
import { useMyOrganizations, useSession } from '../api/session.ts';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';
import { Read } from '../ui/read.tsx';
import { Waiting } from '../ui/waiting.tsx';

/** The start page. It lists the organizations of the signed-in user. */
export function Home() {
  const user = useSession().data?.user;
  // If the organizations cannot be read, the component `Shell` shows the reason.
  const { data, isPending } = useMyOrganizations();
  const [isNew, setNew] = useState(false);
  const create = <Button leftSection={<IconPlus size={16} />} onClick={() => setNew(true)}>New organization</Button>;
  return (
    <Page
      title={`Welcome, ${user?.full_name || user?.login || ''}`}
      about="An organization has teams, clusters, contracts and licences."
      actions={data?.length ? create : undefined}
    >
      <Title order={2} fz={18}>Your organizations</Title>
      {isPending ? <Waiting what="your organizations" /> : data?.length === 0 ? (
        <Card withBorder>
          <Empty title="You are in no organization yet" action={create}>
            Create an organization, or ask an owner of an organization to add you to a team.
          </Empty>
        </Card>
      ) : (
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 3, xl: 4 }}>
          {data?.map((one) => <OrganizationCard key={one.id} organization={one} />)}
        </SimpleGrid>
      )}
      {isNew && (
        <Read
          what="The form"
          queryKey={['code', 'new organization']}
          load={() => fetched(() => import('../organization/new-organization.tsx'))}
        >
          {({ NewOrganization }) => <NewOrganization onClose={() => setNew(false)} />}
        </Read>
      )}
    </Page>
  );
}

function OrganizationCard({ organization: { username, full_name, description } }: { organization: Organization }) {
  return (
    <Card withBorder component={Link} to={`/orgs/${encodeURIComponent(username)}`} className="card-link">
      <Group wrap="nowrap" align="flex-start">
        <Avatar name={full_name || username} color="initials" radius="md" alt="" />
        <Stack gap={2} miw={0}>
          <Text fw={600} truncate dir="auto">{full_name || username}</Text>
          <Text size="sm" c="dimmed" truncate dir="auto">{username}</Text>
          {description !== '' && (
            <Text size="sm" lineClamp={2} dir="auto" style={{ overflowWrap: 'anywhere' }}>{description}</Text>
          )}
        </Stack>
      </Group>
    </Card>
  );
}
