import { Badge, Group } from '@mantine/core';
import type { Session } from '@platform/client';
import { useState } from 'react';
import { csvOf, platform } from '../api/client.ts';
import { Confirm } from '../ui/act.tsx';
import { momentColumn } from '../ui/columns.tsx';
import { type Column, DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Short } from '../ui/short.tsx';

export const ways = {
  token: 'By an access token', mail: 'By e-mail', oidc: 'By a provider', link: 'By a link',
} as const;

const columns: Column<Session>[] = [
  {
    title: 'Browser',
    value: ({ userAgent }) => userAgent,
    shown: ({ userAgent, current }) => (
      <Group gap="xs" wrap="nowrap">
        <Short width={300}>{userAgent || '–'}</Short>
        {current && <Badge variant="light" color="green" tt="none" style={{ flexShrink: 0 }}>This one</Badge>}
      </Group>
    ),
  },
  { title: 'Address', value: ({ address }) => address, minor: true },
  { title: 'Signed in', value: ({ via }) => ways[via] ?? via, minor: true },
  momentColumn('Last seen', ({ lastSeenAt }) => lastSeenAt),
  momentColumn('Ends', ({ expiresAt }) => expiresAt, { minor: true }),
];

/** The sessions of the signed-in user. */
export function Sessions() {
  const [asked, ask] = useState<Session>();
  return (
    <>
      <DataList
        what="sessions"
        queryKey={['sessions']}
        csv={csvOf('listSessions', {})}
        columns={columns}
        keyOf={({ id }) => id}
        load={(page) => platform.list('listSessions', { parameters: page })}
        actions={(one) => [!one.current && { title: 'End it', color: 'red', act: () => ask(one) }]}
        empty={<Empty title="No sessions">You are signed in by a token in a header.</Empty>}
      />
      {asked && (
        <Confirm
          title="End the session"
          verb="End it"
          onClose={() => ask(undefined)}
          said="The session is ended"
          act={() => platform.call('endSession', { parameters: { id: asked.id } })}
        >
          The browser at {asked.address} is signed out with its next request.
        </Confirm>
      )}
    </>
  );
}
