import { Button, Card, Code, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import type { MetricsproxyRegistrationInput } from '@platform/client';
import { useState } from 'react';
import { platform } from '../api/client.ts';
import { useOrg } from '../api/acting.ts';
import { SecretOnce } from '../ui/act.tsx';
import { FormDialog, type Field } from '../ui/form-dialog.tsx';
import { Page } from '../ui/page.tsx';
import { given } from '../ui/values.ts';

const context: readonly Field[] = [
  { name: 'hubUID', label: 'UUID of the hub' },
  { name: 'clusterUID', label: 'UUID of the cluster' },
  { name: 'projectId', label: 'Project' },
  { name: 'clientOrgID', label: 'Id of the client organization' },
  { name: 'default', label: 'It is the default backend', kind: 'switch' },
];

/** Where metrics of clusters are kept, and how dashboards reach them. */
export function Metrics() {
  const org = useOrg()!;
  const [flavour, setFlavour] = useState<'A' | 'B'>('A');
  const [asked, ask] = useState<'register' | 'unregister'>();
  const [answer, setAnswer] = useState<object>();
  const close = () => ask(undefined);
  return (
    <Page title="Metrics" about="Dashboards read a backend that is registered here through the platform.">
      <Card withBorder>
        <Stack>
          <Title order={2} fz={18}>
            Backend
          </Title>
          <SegmentedControl
            aria-label="Kind of dashboards"
            w="fit-content"
            value={flavour}
            onChange={(value) => setFlavour(value as 'A' | 'B')}
            data={[
              { value: 'A', label: 'Dashboards of kind A' },
              { value: 'B', label: 'Dashboards of kind B' },
            ]}
          />
          <Text size="sm" c="dimmed">
            Registering makes the datasource and the folder of the dashboards. The connection is shown once.
          </Text>
          <Group>
            <Button onClick={() => ask('register')}>Register a backend</Button>
            <Button variant="default" onClick={() => ask('unregister')}>
              Unregister one
            </Button>
          </Group>
          <Text size="sm">
            Queries go to <Code>/metrics-proxy/{'{owner id}.{cluster id}'}/api/v1/query</Code>.
          </Text>
        </Stack>
      </Card>
      {asked === 'register' && (
        <FormDialog
          title="Register a backend"
          verb="Register"
          onClose={close}
          after={(made) => setAnswer(made as object)}
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
            })
          }
        />
      )}
      {asked === 'unregister' && (
        <FormDialog
          title="Unregister a backend"
          verb="Unregister"
          onClose={close}
          said="The backend is unregistered"
          fields={context}
          act={(values) =>
            platform.call(flavour === 'A' ? 'unregisterFlavorA' : 'unregisterFlavorB', {
              parameters: { org },
              body: given(values),
            })
          }
        />
      )}
      {answer && (
        <SecretOnce
          title="The connection"
          secret={JSON.stringify(answer, null, 2)}
          onClose={() => setAnswer(undefined)}
        />
      )}
    </Page>
  );
}
