import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ifThere, platform } from '../api/client.ts';
import { useActing } from '../api/acting.ts';
import { Confirm, SecretDialog } from '../ui/act.tsx';
import { Failure } from '../ui/failure.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Short } from '../ui/short.tsx';

const ofManager = 1;

/** The sync token: the credentials that a multi-cluster manager and the platform share for an organization. */
export function SyncToken() {
  const { org, may, type } = useActing();
  const [asked, ask] = useState<'set' | 'remove' | 'show'>();
  const parameters = { orgname: org };
  // Only organizations with a multi-cluster manager can have a sync token.
  const mayView = type === ofManager && may('can_view_sync_token');
  const { data, error } = useQuery({
    queryKey: ['sync token', org],
    enabled: mayView,
    queryFn: async () => await ifThere(platform.call('getSyncToken', { parameters })) ?? null,
  });
  const close = () => ask(undefined);
  if (!mayView || data === undefined) return error ? <Failure error={error} what="The sync token" /> : null;
  return (
    <Stack gap="sm">
      <Title order={2} fz={18}>Sync token</Title>
      <Card withBorder>
        <Group justify="space-between">
          <Text size="sm">
            {data === null ? 'The organization has no sync token.' : (
              <>
                The access key id is <Short mono>{data.accessKeyID}</Short>.
              </>
            )}
          </Text>
          <Group gap="xs">
            {data !== null && <Button size="xs" variant="default" onClick={() => ask('show')}>Show the secret</Button>}
            {may('can_create_sync_token') && (
              <Button size="xs" variant="default" onClick={() => ask('set')}>
                {data === null ? 'Set' : 'Replace'}
              </Button>
            )}
            {data !== null && may('can_remove_sync_token') && (
              <Button size="xs" variant="light" color="red" onClick={() => ask('remove')}>Remove</Button>
            )}
          </Group>
        </Group>
      </Card>
      {asked === 'show' && (
        <SecretDialog isKept title="The secret access key" secret={data?.secretAccessKey ?? ''} onClose={close} />
      )}
      {asked === 'set' && (
        <FormDialog
          title="Set the sync token"
          verb="Set"
          onClose={close}
          said="The sync token is set"
          fields={[
            { name: 'name', label: 'Access key id', required: true },
            { name: 'sha1', label: 'Secret access key', kind: 'secret', required: true },
          ]}
          act={({ name, sha1 }) =>
            platform.call('createSyncToken', { parameters, body: { name: String(name), sha1: String(sha1) } })}
        />
      )}
      {asked === 'remove' && (
        <Confirm
          title="Remove the sync token"
          verb="Remove"
          onClose={close}
          said="The sync token is removed"
          act={() => platform.call('deleteSyncToken', { parameters })}
        >
          The platform deletes the credentials that it shares with the multi-cluster manager of {org}.
        </Confirm>
      )}
    </Stack>
  );
}
