import { Alert, Badge, Button, Card, Group, List, Select, Stack, Table, Text, Title } from '@mantine/core';
import type { Explanation } from '@platform/client';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { platform } from '../api/client.ts';
import { useActing } from '../api/acting.ts';
import { useChange } from '../ui/act.tsx';
import { Failure } from '../ui/failure.tsx';
import { useKept } from '../ui/kept.ts';
import { Page } from '../ui/page.tsx';
import { PersonSelect } from '../ui/person-select.tsx';
import { Short } from '../ui/short.tsx';
import { onSubmit } from '../ui/submit.ts';
import { questions } from './questions.ts';

/** Explains why somebody may or may not do something. */
export function Explain() {
  const { org, id } = useActing();
  const [person, setPerson] = useKept<string | null>('person', null, 'page');
  const [asked, setAsked] = useKept<string | null>('right', null, 'page');
  const [team, setTeam] = useKept<string | null>('team', null, 'page');
  const teams = useQuery({
    queryKey: ['teams', org, 'all'],
    queryFn: () => platform.call('listTeams', { parameters: { orgname: org } }),
  });
  const question = questions.find(({ relation, on }) => `${on} ${relation}` === asked);
  const objectID = question?.on === 'team' ? Number(team) : id;
  const explain = useChange(() => platform.call('explainPermission', {
    parameters: { org },
    body: { username: person!, objectType: question!.on, objectID: objectID!, relation: question!.relation },
  }));
  const isReady = person !== null && question !== undefined && Boolean(objectID);
  return (
    <Page
      title="Why does somebody have a right?"
      about="Shows which of the person’s teams give the right, through the permission or the roles of the team."
    >
      <Card withBorder>
        <form onSubmit={onSubmit(() => explain.mutate(undefined))} aria-label="The question">
          <Group align="flex-end">
            <PersonSelect label="Person" value={person} onChange={setPerson} w={{ base: '100%', xs: 240 }} />
            <Select
              label="May"
              searchable
              value={asked}
              onChange={setAsked}
              w={{ base: '100%', xs: 320 }}
              data={['organization', 'team'].map((on) => ({
                group: on === 'team' ? 'A team' : 'The organization',
                items: questions.filter((one) => one.on === on)
                  .map(({ relation, words }) => ({ value: `${on} ${relation}`, label: words })),
              }))}
            />
            {question?.on === 'team' && (
              <Select
                label="Team"
                value={team}
                onChange={setTeam}
                data={teams.data?.map(({ id: value, name }) => ({ value: String(value), label: name })) ?? []}
              />
            )}
            <Button type="submit" disabled={!isReady} loading={explain.isPending}>Explain</Button>
          </Group>
        </form>
      </Card>
      {teams.error && <Failure error={teams.error} what="The choice of Team" />}
      {explain.error && <Failure error={explain.error} />}
      {explain.data && <Answer of={explain.data} />}
    </Page>
  );
}

function Answer({ of: { allowed, principals, wouldAllow } }: { of: Explanation }) {
  return (
    <Stack>
      <Alert
        color={allowed ? 'green' : 'red'}
        variant="light"
        icon={allowed ? <IconCheck /> : <IconX />}
        title={allowed ? 'Yes, allowed' : 'No, not allowed'}
      >
        {principals.length === 0 && 'The person is a site admin, or is in no team of the organization.'}
      </Alert>
      {principals.length > 0 && (
        <Card withBorder p={0}>
          <Table verticalSpacing="sm" horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                {['Team', 'Permission', 'Roles', 'Gives it'].map((title) => (
                  <Table.Th key={title} scope="col">{title}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {principals.map(({ team, permission, roles, grants }) => (
                <Table.Tr key={team}>
                  <Table.Td><Short width={200}>{team}</Short></Table.Td>
                  <Table.Td>{permission}</Table.Td>
                  <Table.Td><Short width={260}>{roles.map(({ name }) => name).join(', ') || '–'}</Short></Table.Td>
                  <Table.Td>
                    <Badge variant="light" color={grants ? 'green' : 'gray'} tt="none">{grants ? 'Yes' : 'No'}</Badge>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Card>
      )}
      {!allowed && wouldAllow.length > 0 && (
        <Card withBorder>
          <Title order={2} fz={16} mb="xs">Each of these would allow it</Title>
          <List size="sm">
            {wouldAllow.map((one) => (
              <List.Item key={one}><Text span inherit style={{ overflowWrap: 'anywhere' }}>{one}</Text></List.Item>
            ))}
          </List>
        </Card>
      )}
    </Stack>
  );
}
