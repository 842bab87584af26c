import { Accordion, Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { FeatureSetInfo } from '@platform/client';
import { useState } from 'react';
import { platform } from '../api/client.ts';
import { Confirm } from '../ui/act.tsx';
import { Empty } from '../ui/empty.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Read } from '../ui/read.tsx';
import type { SetPlace } from './place.ts';
import { SyncStatus } from './sync-status.tsx';

/** The feature sets that the hub offers. Shows which of them are installed in a cluster set. */
export function Features({ parameters }: { parameters: SetPlace }) {
  const { clusterset, ...place } = parameters;
  const [install, setInstall] = useState<FeatureSetInfo>();
  const [disable, setDisable] = useState<FeatureSetInfo>();
  return (
    <Read
      what="The feature sets"
      queryKey={['feature sets', parameters]}
      load={() => platform.call('listFeatureSets', { parameters })}
    >
      {(sets) => sets.length === 0 ? (
        <Empty title="The hub offers no feature sets">Create feature sets and features on the hub.</Empty>
      ) : (
        <>
          <SyncStatus parameters={parameters} />
          <Accordion variant="separated">
            {sets.map((set) => (
              <Accordion.Item key={set.name} value={set.name}>
                <Accordion.Control>
                  <Group gap="xs">
                    <Text fw={600}>{set.title || set.name}</Text>
                    {set.installed && <Badge variant="light" color="green" tt="none">Installed</Badge>}
                    {set.recommended && <Badge variant="light" color="gray" tt="none">Recommended</Badge>}
                  </Group>
                </Accordion.Control>
                <Accordion.Panel>
                  <Stack align="flex-start">
                    <Text size="sm">{set.description}</Text>
                    <Group gap={6}>
                      {set.features.map((feature) => (
                        <Badge key={feature.name} variant={feature.installed ? 'filled' : 'default'} tt="none">
                          {feature.title || feature.name}
                        </Badge>
                      ))}
                    </Group>
                    <Group>
                      <Button size="xs" onClick={() => setInstall(set)}>
                        {set.installed ? 'Change' : 'Install'}
                      </Button>
                      {set.installed && (
                        <Button size="xs" variant="light" color="red" onClick={() => setDisable(set)}>Disable</Button>
                      )}
                    </Group>
                  </Stack>
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
          {install && (
            <FormDialog
              title={`Install ${install.title || install.name}`}
              verb="Install"
              onClose={() => setInstall(undefined)}
              said="The features are being installed"
              of={`${clusterset} ${install.name}`}
              initial={{
                features: install.features
                  .filter(({ installed, name }) => installed || install.requiredFeatures.includes(name))
                  .map(({ name }) => name),
              }}
              fields={[
                {
                  name: 'features', label: 'Features', kind: 'many', required: true,
                  options: install.features.map(({ name, title }) => ({ value: name, label: title || name })),
                  about: install.requiredFeatures.length > 0
                    ? `Needed: ${install.requiredFeatures.join(', ')}` : undefined,
                },
                {
                  name: 'values', label: 'Values', kind: 'json',
                  about: 'Helm values by feature, as JSON. If empty, the values of the chart are used.',
                },
              ]}
              act={({ features, values }) => platform.call('installFeatureSet', {
                parameters,
                body: {
                  featureSet: install.name,
                  features: features as string[],
                  ...(values !== '' && { values: JSON.parse(String(values)) as object }),
                },
              })}
            />
          )}
          {disable && (
            <Confirm
              title={`Disable ${disable.title || disable.name}`}
              verb="Disable"
              onClose={() => setDisable(undefined)}
              said="The features are being removed"
              act={() => platform.call('disableFeatureSet', {
                parameters: { ...place, clusterset },
                body: {
                  clusterSet: clusterset,
                  featureSet: disable.name,
                  features: disable.features.filter(({ installed }) => installed).map(({ name }) => name),
                },
              })}
            >
              The features are removed from all clusters of the set.
            </Confirm>
          )}
        </>
      )}
    </Read>
  );
}
