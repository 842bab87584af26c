import { Avatar, Badge, Group } from '@mantine/core';
import type { User } from '@platform/client';
import type { Column } from '../ui/data-list.tsx';
import { momentColumn, shortColumn } from '../ui/columns.tsx';
import { Short } from '../ui/short.tsx';

export const memberColumns: Column<User>[] = [
  {
    title: 'User',
    value: ({ login }) => login,
    shown: ({ login, full_name, orgAdmin }) => (
      <Group gap="xs" wrap="nowrap">
        <Avatar name={full_name || login} color="initials" size={28} alt="" />
        <Short width={200}>{login}</Short>
        {orgAdmin && <Badge variant="light" color="grape" tt="none">Owner</Badge>}
      </Group>
    ),
  },
  shortColumn('Name', ({ full_name }) => full_name, { absent: '–', width: 240, minor: true }),
  shortColumn('E-mail', ({ email }) => email, { minor: true }),
  momentColumn('Last signed in', ({ last_login }) => last_login, { absent: 'Never', minor: true }),
];
