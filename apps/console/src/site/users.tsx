import { Badge, Button, Group, SegmentedControl } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { User } from '@platform/client';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { csvOf, platform } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { Confirm } from '../ui/act.tsx';
import { momentColumn, shortColumn } from '../ui/columns.tsx';
import { type Column, DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { useKept } from '../ui/kept.ts';
import { Page } from '../ui/page.tsx';
import { Short } from '../ui/short.tsx';
import { ChangeUser, NewUser } from './user-forms.tsx';

const columns: Column<User>[] = [
  {
    title: 'User',
    value: ({ login }) => login,
    shown: ({ login, is_admin, active, prohibit_login }) => (
      <Group gap="xs" wrap="nowrap">
        <Short width={220}>{login}</Short>
        {is_admin && <Mark color="grape">Site admin</Mark>}
        {!active && <Mark color="gray">Not active</Mark>}
        {prohibit_login && <Mark color="red">May not sign in</Mark>}
      </Group>
    ),
  },
  shortColumn('Name', ({ full_name }) => full_name, { absent: '–', minor: true }),
  shortColumn('E-mail', ({ email }) => email, { minor: true }),
  momentColumn('Last signed in', ({ last_login }) => last_login, { absent: 'Never', minor: true }),
];

function Mark({ color, children }: { color: string; children: string }) {
  return <Badge variant="light" color={color} tt="none" style={{ flexShrink: 0 }}>{children}</Badge>;
}

/** The query parameters of each filter. */
const filters = { all: {}, active: { active: true }, inactive: { active: false }, admins: { admin: true } } as const;

/** All users of the platform. */
export function SiteUsers() {
  const me = useSession().data?.user.login;
  const [text, setText] = useKept('search', '', 'visit');
  const [q] = useDebouncedValue(text.trim(), 250);
  const [which, choose] = useState<keyof typeof filters>('all');
  const [asked, ask] = useState<'new' | { change: User } | { remove: User }>();
  const close = () => ask(undefined);
  const parameters = { ...filters[which], ...(q !== '' && { q }) };
  return (
    <Page
      title="Users"
      actions={<Button leftSection={<IconPlus size={16} />} onClick={() => ask('new')}>New user</Button>}
    >
      <DataList
        what="users"
        queryKey={['site users', parameters]}
        csv={csvOf('listSiteUsers', parameters)}
        keyOf={({ id }) => id}
        columns={columns}
        searched={{ text, set: setText }}
        toolbar={
          <SegmentedControl
            size="xs"
            aria-label="Which users"
            value={which}
            onChange={(value) => choose(value as keyof typeof filters)}
            data={[
              { value: 'all', label: 'All' },
              { value: 'active', label: 'Active' },
              { value: 'inactive', label: 'Not active' },
              { value: 'admins', label: 'Site admins' },
            ]}
          />
        }
        load={(page) => platform.list('listSiteUsers', { parameters: { ...parameters, ...page } })}
        actions={(user) => [
          { title: 'Change', act: () => ask({ change: user }) },
          user.login !== me && { title: 'Delete', color: 'red', act: () => ask({ remove: user }) },
        ]}
        empty={<Empty title="No user matches">Search for the beginning of a name.</Empty>}
      />
      {asked === 'new' && <NewUser onClose={close} />}
      {typeof asked === 'object' && 'change' in asked && <ChangeUser user={asked.change} onClose={close} />}
      {typeof asked === 'object' && 'remove' in asked && (
        <Confirm
          title={`Delete ${asked.remove.login}`}
          verb="Delete"
          typed={asked.remove.login}
          onClose={close}
          said="The user is deleted"
          act={() => platform.call('removeSiteUser', { parameters: { username: asked.remove.login } })}
        >
          Memberships and tokens of the user are deleted, too. If the user is the last owner of organizations, the user
          cannot be deleted, and the organizations are named here.
        </Confirm>
      )}
    </Page>
  );
}
