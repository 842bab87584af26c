import { Button, Code, Group, Modal, NumberInput, Stack, Tabs, Text } from '@mantine/core';
import type { ResourceEvent } from '@platform/client';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { csvOf, platform } from '../api/client.ts';
import { useAnyOrg } from '../api/acting.ts';
import { momentColumn, shortColumn } from '../ui/columns.tsx';
import { DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';
import { Read } from '../ui/read.tsx';
import { Short } from '../ui/short.tsx';
import { NeedsOrganization } from './needs-organization.tsx';

/** Shows events of a product under a licence. A button asks the agent in the cluster for the history of resources. */
export function Events() {
  const {
    uid, cluster: cid, licence: lid, product: productName,
  } = useParams({ strict: false }) as Record<'uid' | 'cluster' | 'licence' | 'product', string>;
  const org = useAnyOrg();
  const [lastDays, setLastDays] = useState(7);
  const [shown, show] = useState<ResourceEvent>();
  const [isAsked, ask] = useState(false);
  if (org === undefined) return <NeedsOrganization title="Events" />;
  const place = { uid, cid, lid, productName, org };
  return (
    <Page
      title={productName}
      about={`Cluster ${cid}`}
      above={[
        { title: 'Licensed users', to: '/site/licensed' },
        { title: `Account ${uid}`, to: `/site/licensed/${uid}` },
        { title: 'Licence', to: `/site/licensed/${uid}/${cid}/${lid}` },
      ]}
    >
      <Tabs defaultValue="events" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="events">Events</Tabs.Tab>
          <Tabs.Tab value="now">What the cluster runs now</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="events">
          <DataList<ResourceEvent>
            what="events"
            queryKey={['events', place, lastDays]}
            csv={csvOf('listEvents', { ...place, lastDays })}
            keyOf={({ key, version }) => `${key} ${version}`}
            toolbar={
              <NumberInput
                size="xs" w={170} prefix="Last " suffix=" days" aria-label="Days" min={1} max={14}
                value={lastDays}
                onChange={(value) => setLastDays(Number(value) || 7)}
              />
            }
            load={({ limit: _limit, ...page }) =>
              platform.list('listEvents', { parameters: { ...place, lastDays, ...page } })}
            columns={[
              shortColumn('Object', ({ key }) => key, { mono: true, width: 420 }),
              { title: 'Version', value: ({ version }) => version, numeric: true },
              momentColumn('Time', ({ timestamp }) => timestamp),
            ]}
            onOpen={show}
            empty={<Empty title="No events in these days">Look at more days.</Empty>}
          />
        </Tabs.Panel>
        <Tabs.Panel value="now">
          {isAsked ? (
            <Read
              what="The cluster's answer"
              queryKey={['resources', place]}
              load={() => platform.call('getResources', { parameters: place })}
            >
              {(answer) => <Json of={answer} />}
            </Read>
          ) : (
            <Stack align="flex-start">
              <Text size="sm">The agent in the cluster is asked, which takes a moment.</Text>
              <Button onClick={() => ask(true)}>Ask the cluster</Button>
            </Stack>
          )}
        </Tabs.Panel>
      </Tabs>
      {shown && (
        <Modal
          opened
          onClose={() => show(undefined)}
          title={<Short width={520} mono>{shown.key}</Short>}
          size="xl"
          closeButtonProps={{ 'aria-label': 'Close' }}
        >
          <Read
            what="The event"
            queryKey={['event', place, shown.key, shown.version]}
            load={() =>
              platform.call('getRawEvent', { parameters: { ...place, key: shown.key, version: String(shown.version) } })
            }
          >
            {(event) => <Json of={event} />}
          </Read>
        </Modal>
      )}
    </Page>
  );
}

/** Shows JSON that other systems sent. */
function Json({ of }: { of: unknown }) {
  return (
    <Group>
      <Code block w="100%" mah="65vh" style={{ overflow: 'auto', overflowWrap: 'anywhere' }} tabIndex={0}>
        {JSON.stringify(of, null, 2)}
      </Code>
    </Group>
  );
}
