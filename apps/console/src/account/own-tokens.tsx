import { Button, Text } from '@mantine/core';
import type { UserToken } from '@platform/client';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { csvOf, platform } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { Confirm, SecretDialog } from '../ui/act.tsx';
import { momentColumn, shortColumn } from '../ui/columns.tsx';
import { type Column, DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { scopeField } from '../ui/scopes.ts';
import { Short } from '../ui/short.tsx';
import { instantOf, isBlank } from '../ui/values.ts';

const columns: Column<UserToken>[] = [
  shortColumn('Token', ({ name }) => name),
  {
    title: 'Ends in', value: ({ token_last_eight }) => token_last_eight,
    shown: ({ token_last_eight }) => <Short mono>{`…${token_last_eight}`}</Short>, minor: true,
  },
  shortColumn('May', ({ scopes }) => scopes.join(', '), { width: 220, minor: true }),
  momentColumn('Last used', ({ last_used_at }) => last_used_at, { absent: 'Never' }),
  momentColumn('Valid until', ({ expires_at }) => expires_at, { absent: 'No end' }),
];

/** The tokens of the signed-in user. Programs use them to act in the name of this user. */
export function OwnTokens() {
  const username = useSession().data?.user.login;
  const [asked, ask] = useState<'new' | UserToken>();
  const [made, setMade] = useState<string>();
  if (username === undefined) return null;
  const close = () => ask(undefined);
  const create = <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => ask('new')}>New token</Button>;
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">A program that has one of these tokens acts as you.</Text>
      <DataList
        what="tokens"
        queryKey={['own tokens', username]}
        csv={csvOf('listUserTokens', { username })}
        toolbar={create}
        columns={columns}
        keyOf={({ id }) => id}
        load={(page) => platform.list('listUserTokens', { parameters: { username, ...page } })}
        actions={(token) => [{ title: 'Delete', color: 'red', act: () => ask(token) }]}
        empty={<Empty title="No tokens yet">A program needs a token to call the API in your name.</Empty>}
      />
      {asked === 'new' && (
        <FormDialog
          title="New token"
          verb="Create"
          onClose={close}
          after={(token: UserToken) => setMade(token.sha1)}
          fields={[
            { name: 'name', label: 'Name', required: true, about: 'What it is for.' },
            scopeField,
            {
              name: 'expires_at', label: 'Valid until', kind: 'moment',
              about: 'If empty, the default lifetime applies.',
            },
          ]}
          act={({ name, scopes, expires_at }) => platform.call('createUserToken', {
            parameters: { username },
            body: {
              name: String(name),
              ...(!isBlank(scopes) && { scopes: scopes as string[] }),
              ...(!isBlank(expires_at) && { expires_at: instantOf(expires_at) }),
            },
          })}
        />
      )}
      {typeof asked === 'object' && (
        <Confirm
          title={`Delete the token ${asked.name}`}
          verb="Delete"
          onClose={close}
          said="The token is deleted"
          act={() => platform.call('deleteUserToken', { parameters: { username, token: String(asked.id) } })}
        >
          Programs that use it are refused from now on.
        </Confirm>
      )}
      {made !== undefined && <SecretDialog title="Your token" secret={made} onClose={() => setMade(undefined)} />}
    </>
  );
}
