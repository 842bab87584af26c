import { Button, Code, CopyButton, Group, Modal, SimpleGrid, Stack, Card, Text, Title } from '@mantine/core';
import type { License, LicenseProxyInstaller } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { platform } from '../api/client.ts';
import { useOrg } from '../api/acting.ts';
import { Failure } from '../ui/failure.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Page } from '../ui/page.tsx';
import { LicenceOnce } from './licence-once.tsx';

/** Issues licences for a cluster, and makes installers of the licence proxy. */
export function Licences() {
  const org = useOrg();
  const parameters = org === undefined ? {} : { org };
  const [asked, ask] = useState<'licence' | 'online' | 'offline'>();
  const [licence, setLicence] = useState<License>();
  const [installer, setInstaller] = useState<LicenseProxyInstaller>();
  const offline = useQuery({
    queryKey: ['offline contracts', org],
    queryFn: () => platform.call('listActiveOfflineContracts', { parameters }),
  });
  const close = () => ask(undefined);
  return (
    <Page title="Licences" about="A licence is for one cluster. A licence proxy provides licences in a cluster.">
      <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
        <Choice title="Issue a licence" verb="Issue" act={() => ask('licence')}>
          For a cluster and its features, under a contract or as a trial.
        </Choice>
        <Choice title="Licence proxy, online" verb="Make the installer" act={() => ask('online')}>
          It fetches licences from this platform. The installer holds a token.
        </Choice>
        <Choice title="Licence proxy, offline" verb="Make the installer" act={() => ask('offline')}>
          It holds the licences of a cluster. The contracts must allow offline licences.
        </Choice>
      </SimpleGrid>
      {offline.error && <Failure error={offline.error} what="The contracts that allow offline licences" />}
      {asked === 'licence' && (
        <FormDialog
          title="Issue a licence"
          verb="Issue"
          onClose={close}
          after={setLicence}
          fields={[
            {
              name: 'cluster', label: 'UUID of the cluster', required: true,
              about: 'The UID of the namespace kube-system.',
            },
            {
              name: 'features', label: 'Features', kind: 'tags', required: true,
              about: 'For example productdb-enterprise.',
            },
          ]}
          act={({ cluster, features }) => platform.call('issueLicense', {
            parameters,
            body: { cluster: String(cluster), features: features as string[] },
          })}
        />
      )}
      {asked === 'online' && (
        <FormDialog
          title="Licence proxy, online"
          verb="Make the installer"
          onClose={close}
          after={setInstaller}
          fields={[]}
          about="The installer is a Helm command, or manifests in YAML. Both are shown only once."
          act={() => platform.call('createLicenseProxy', { parameters, body: {} })}
        />
      )}
      {asked === 'offline' && (
        <FormDialog
          title="Licence proxy, offline"
          verb="Make the installer"
          onClose={close}
          after={setInstaller}
          fields={[
            { name: 'clusterID', label: 'UUID of the cluster', required: true },
            {
              name: 'contractIDs', label: 'Contracts', kind: 'many', required: true,
              options: offline.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? [],
              error: offline.error, about: 'Active contracts that allow offline licences.',
            },
          ]}
          act={({ clusterID, contractIDs }) => platform.call('createLicenseProxy', {
            parameters,
            body: { clusterID: String(clusterID), contractIDs: (contractIDs as string[]).map(Number) },
          })}
        />
      )}
      {licence && <LicenceOnce license={licence.license} onClose={() => setLicence(undefined)} />}
      {installer && <Installer of={installer} onClose={() => setInstaller(undefined)} />}
    </Page>
  );
}

function Choice({ title, verb, act, children }: { title: string; verb: string; act: () => void; children: string }) {
  return (
    <Card withBorder>
      <Stack justify="space-between" h="100%">
        <Stack gap={4}>
          <Title order={2} fz={17}>{title}</Title>
          <Text size="sm" c="dimmed">{children}</Text>
        </Stack>
        <Group><Button variant="light" onClick={act} aria-label={`${verb}: ${title}`}>{verb}</Button></Group>
      </Stack>
    </Card>
  );
}

function Installer({ of: { helm3, yaml }, onClose }: { of: LicenseProxyInstaller; onClose: () => void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      title="The installer"
      size="xl"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        {[['Helm', helm3], ['YAML', yaml]].map(([title, text]) => (
          <Stack key={title} gap={4}>
            <Group justify="space-between">
              <Text fw={600}>{title}</Text>
              <CopyButton value={text!}>
                {({ copied, copy }) => (
                  <Button size="compact-sm" variant="default" onClick={copy}>{copied ? 'Copied' : 'Copy'}</Button>
                )}
              </CopyButton>
            </Group>
            <Code block mah={280} style={{ overflow: 'auto' }}>{text}</Code>
          </Stack>
        ))}
      </Stack>
    </Modal>
  );
}
