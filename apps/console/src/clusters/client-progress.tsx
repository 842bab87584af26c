import { Modal, Stack, Text, Timeline } from '@mantine/core';
import { ifThere, platform } from '../api/client.ts';
import { Moment } from '../ui/moment.tsx';
import { Read } from '../ui/read.tsx';
import { Short } from '../ui/short.tsx';

const everyMs = 2_000;

/** Sentences for the states of a client organization. */
const words: Readonly<Record<string, string>> = {
  'Active': 'The organization exists.',
  'Deleting': 'The organization is being deleted.',
  'Partially Deleted': 'Some clusters still have namespaces and rights of the client.',
  'Deleted': 'The organization and all its objects are deleted.',
  'NotFound': 'The organization does not exist.',
};

/** Shows the states of a client organization and of its clusters. Reads them again every few seconds. */
export function ClientProgress({ of, onClose }: { of: string; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={<Short>{of}</Short>} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Read what="The progress" queryKey={['client progress', of]} every={everyMs} load={() => progressOf(of)}>
        {({ status, clusters }) => (
          <Timeline bulletSize={14} lineWidth={2} active={clusters.filter(({ state }) => state === 'Active').length}>
            <Timeline.Item title={`Organization: ${status}`}><Text size="sm">{words[status]}</Text></Timeline.Item>
            {clusters.map(({ name, state, phase, createdAt }) => (
              <Timeline.Item key={name} title={<Short>{`${name}: ${state}`}</Short>}>
                <Stack gap={0}>
                  <Text size="sm">
                    {state === 'Deleting'
                      ? 'The cluster still has namespaces and rights of the client.'
                      : `Imported. State of the cluster: ${phase}.`}
                  </Text>
                  <Text size="sm" c="dimmed">Since <Moment at={createdAt} /></Text>
                </Stack>
              </Timeline.Item>
            ))}
          </Timeline>
        )}
      </Read>
    </Modal>
  );
}

async function progressOf(orgname: string) {
  const { status } = await statusOf(orgname);
  if (status === 'Deleted' || status === 'NotFound') return { status, clusters: [] };
  const imported = await ifThere(platform.call('listImportedClusters', { parameters: { org: orgname } }));
  // The account was deleted after its status was read, so the status has changed, too, or will change soon.
  if (imported === undefined) return { ...await statusOf(orgname), clusters: [] };
  const clusters = await Promise.all(imported.map(async ({ name, createdAt, status: health }) => {
    const parameters = { orgname, cluster: name };
    const { status: state } = await platform.call('getClientClusterStatus', { parameters });
    return { name, createdAt, state, phase: String(health?.['phase'] ?? 'unknown') };
  }));
  // Leave out imported clusters that are not spokes of the client, such as the hub.
  return { status, clusters: clusters.filter(({ state }) => state !== 'NotFound') };
}

function statusOf(orgname: string) {
  return platform.call('getClientOrganizationStatus', { parameters: { orgname } });
}
