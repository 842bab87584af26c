import { Anchor, Button, Card, Code, Group, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core';
import type { FlavorAAnswer, FlavorBAnswer, MetricsproxyRegistrationInput } from '@platform/client';
import { useState } from 'react';
import { askMetrics, platform } from '../api/client.ts';
import { useOrg } from '../api/acting.ts';
import { SecretDialog, useChange } from '../ui/act.tsx';
import { Failure } from '../ui/failure.tsx';
import { onSubmit } from '../ui/submit.ts';
import { useKept } from '../ui/kept.ts';
import type { Field } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Page } from '../ui/page.tsx';
import { given } from '../ui/values.ts';

const context: readonly Field[] = [
  { name: 'hubUID', label: 'UUID of the hub' },
  { name: 'clusterUID', label: 'UUID of the cluster' },
  { name: 'projectId', label: 'Project' },
  { name: 'clientOrgID', label: 'Id of the client organization' },
  { name: 'default', label: 'Default backend', kind: 'switch' },
];

/** Registers and unregisters the metrics backends that dashboards read, and sends a test query. */
export function Metrics() {
  const org = useOrg()!;
  const [flavour, setFlavour] = useState<'A' | 'B'>('A');
  const [asked, ask] = useState<'register' | 'unregister'>();
  const [made, setMade] = useState<FlavorAAnswer & FlavorBAnswer>();
  const [token, setToken] = useState<string>();
  const connection = made?.flavora ?? made?.flavorb;
  const close = () => ask(undefined);
  return (
    <Page title="Metrics" about="Dashboards read registered backends through the platform.">
      <Card withBorder>
        <Stack>
          <Title order={2} fz={18}>Backend</Title>
          <SegmentedControl
            aria-label="Kind of dashboards"
            w="fit-content"
            value={flavour}
            onChange={(value) => setFlavour(value as 'A' | 'B')}
            data={[{ value: 'A', label: 'Kind A' }, { value: 'B', label: 'Kind B' }]}
          />
          <Text size="sm" c="dimmed">The dashboards of this kind get a datasource and a folder.</Text>
          <Group>
            <Button onClick={() => ask('register')}>Register a backend</Button>
            <Button variant="default" onClick={() => ask('unregister')}>Unregister one</Button>
          </Group>
          {made && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              The datasource <Code>{made.datasource}</Code> is in the dashboards
              {connection && (
                <>
                  {' '}
                  at{' '}
                  <Anchor href={connection.url} target="_blank" rel="noreferrer" underline="always" size="sm">
                    {connection.url}
                  </Anchor>
                </>
              )}
              .
            </Text>
          )}
        </Stack>
      </Card>
      <Query key={made?.datasource} of={made?.datasource ?? ''} />
      {asked === 'register' && (
        <FormDialog
          title="Register a backend"
          verb="Register"
          onClose={close}
          said="The backend is registered"
          after={(answer) => {
            const registered = answer as FlavorAAnswer & FlavorBAnswer;
            setMade(registered);
            setToken((registered.flavora ?? registered.flavorb)?.bearerToken);
          }}
          fields={[
            { name: 'url', label: 'Address', required: true, placeholder: 'https://prometheus.example.org' },
            { name: 'bearerToken', label: 'Bearer token', kind: 'secret' },
            ...context,
            { name: 'issueToken', label: 'Issue a token for it', kind: 'switch' },
          ]}
          act={({ url, bearerToken, ...rest }) =>
            platform.call(flavour === 'A' ? 'registerFlavorA' : 'registerFlavorB', {
              parameters: { org },
              body: { backend: given({ url, bearerToken }), ...given(rest) } as MetricsproxyRegistrationInput,
            })}
        />
      )}
      {asked === 'unregister' && (
        <FormDialog
          title="Unregister a backend"
          verb="Unregister"
          onClose={close}
          said="The backend is unregistered"
          fields={context}
          act={(values) => platform.call(flavour === 'A' ? 'unregisterFlavorA' : 'unregisterFlavorB', {
            parameters: { org },
            body: given(values),
          })}
        />
      )}
      {token !== undefined && (
        <SecretDialog title="The token of the backend" secret={token} onClose={() => setToken(undefined)} />
      )}
    </Page>
  );
}

/** A form that sends a query to a backend through the platform. */
function Query({ of }: { of: string }) {
  const [datasource, setDatasource] = useKept(`datasource ${of}`, of, 'page');
  const [query, setQuery] = useKept('query', 'up', 'page');
  const ask = useChange(() => askMetrics(datasource.trim(), query));
  return (
    <Card withBorder>
      <form onSubmit={onSubmit(() => ask.mutate(undefined))} aria-label="Try a query">
        <Stack>
          <Title order={2} fz={18}>Try a query</Title>
          <TextInput
            label="Datasource"
            required
            description="Id of the owner, UUID of the cluster and project (if any), with dots between them."
            value={datasource}
            onChange={({ currentTarget }) => setDatasource(currentTarget.value)}
          />
          <TextInput
            label="Query"
            required
            value={query}
            onChange={({ currentTarget }) => setQuery(currentTarget.value)}
          />
          <Group><Button type="submit" variant="light" loading={ask.isPending}>Run it</Button></Group>
          {ask.error && <Failure error={ask.error} />}
          {ask.data !== undefined && (
            <Code block mah={320} style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }} tabIndex={0}>
              {JSON.stringify(ask.data, null, 2)}
            </Code>
          )}
        </Stack>
      </form>
    </Card>
  );
}
