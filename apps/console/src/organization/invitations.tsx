import { Button, Stack, Title } from '@mantine/core';
import type { TeamInvitation } from '@platform/client';
import { IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAllowed } from '../api/allowed.ts';
import { csvOf, platform } from '../api/client.ts';
import { useActing } from '../api/acting.ts';
import { Confirm } from '../ui/act.tsx';
import { momentColumn, shortColumn } from '../ui/columns.tsx';
import { type Column, DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';

const columns: Column<TeamInvitation>[] = [
  shortColumn('E-mail', ({ email }) => email),
  shortColumn('Team', ({ team }) => team, { width: 200 }),
  shortColumn('By', ({ inviter }) => inviter, { width: 160, minor: true }),
  momentColumn('Open until', ({ expiresAt }) => expiresAt),
];

/** Invitations by mail. Shown only to people who may list the teams and may add members to at least one team. */
export function Invitations() {
  const { org, may } = useActing();
  const [asked, ask] = useState<'new' | TeamInvitation>();
  const teams = useQuery({
    queryKey: ['teams', org, 'all'],
    queryFn: () => platform.call('listTeams', { parameters: { orgname: org } }),
    enabled: may('can_list_teams'),
  });
  const { allows, error } = useAllowed(org, teams.data?.map(({ id }) => ({ objectType: 'team', objectID: id })) ?? []);
  const open = teams.data?.filter(({ id }) => allows('can_add_member', 'team', id)) ?? [];
  const fault = teams.error ?? error;
  const failure = fault && <Failure error={fault} what="The teams that people can be invited into" />;
  if (open.length === 0) return failure;
  const close = () => ask(undefined);
  const invite = (
    <Button size="xs" leftSection={<IconMail size={14} />} onClick={() => ask('new')}>Invite somebody</Button>
  );
  return (
    <Stack gap="sm">
      <Title order={2} fz={18}>Invitations</Title>
      {failure}
      <DataList
        what="invitations"
        queryKey={['invitations', org]}
        csv={csvOf('listTeamInvitations', { orgname: org })}
        toolbar={invite}
        columns={columns}
        keyOf={({ id }) => id}
        load={(page) => platform.list('listTeamInvitations', { parameters: { orgname: org, ...page } })}
        actions={(one) => [{ title: 'Withdraw', color: 'red', act: () => ask(one) }]}
        empty={<Empty title="Nobody is invited">Invited people get an account and join the team.</Empty>}
      />
      {asked === 'new' && (
        <FormDialog
          title="Invite somebody"
          verb="Invite"
          onClose={close}
          said="The mail is on its way"
          fields={[
            { name: 'email', label: 'E-mail', kind: 'email', required: true },
            {
              name: 'teamID', label: 'Team', kind: 'select', required: true,
              options: open.map(({ id, name }) => ({ value: String(id), label: name })),
            },
          ]}
          act={({ email, teamID }) => platform.call('createTeamInvitation', {
            parameters: { orgname: org },
            body: { email: String(email), teamID: Number(teamID) },
          })}
        />
      )}
      {typeof asked === 'object' && (
        <Confirm
          title="Withdraw the invitation"
          verb="Withdraw"
          onClose={close}
          said="The invitation is withdrawn"
          act={() => platform.call('deleteTeamInvitation', { parameters: { orgname: org, id: asked.id } })}
        >
          The link in the mail to {asked.email} will no longer work.
        </Confirm>
      )}
    </Stack>
  );
}
