import { Badge, Button, Stack, Title } from '@mantine/core';
import type { Authority, ListedInstaller, ParkedEvent } from '@platform/client';
import type { ReactNode } from 'react';
import { platform } from '../api/client.ts';
import { isDeployed } from '../api/page.ts';
import { done, useChange } from '../ui/act.tsx';
import { momentColumn, shortColumn } from '../ui/columns.tsx';
import { type Column, DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Facts } from '../ui/facts.tsx';
import { Failure } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';
import { Read } from '../ui/read.tsx';
import { Short } from '../ui/short.tsx';

/** A screen for site admins: the state of authorization, parked events, licence authorities, and installers. */
export function Operations() {
  return (
    <Page title="Operations">
      <Part title="Authorization"><Status /></Part>
      {isDeployed('listSiteParkedEvents') && <Part title="Parked events of clusters"><ParkedEvents /></Part>}
      {isDeployed('listSiteAuthorities') && <Part title="Authorities that sign licences"><Authorities /></Part>}
      {isDeployed('listSiteInstallers') && <Part title="Installers of marketplaces"><Installers /></Part>}
    </Page>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">{title}</Title>
      {children}
    </Stack>
  );
}

function Status() {
  return (
    <Read what="The state of accounts" queryKey={['site status']} load={() => platform.call('getSiteStatus')}>
      {({ pendingUnits, oldestPendingSeconds, failingUnits, siteAdmins, administrativeOrganization }) => (
        <Facts
          of={[
            ['Changes that wait for the authorization engine', pendingUnits],
            ['The oldest waits for', pendingUnits === 0 ? '' : `${oldestPendingSeconds} s`],
            ['Changes that fail', failingUnits.map(({ unit, cause }) => `${unit}: ${cause}`).join('; ')],
            ['Site admins who can sign in', siteAdmins],
            ['Administrative organization', administrativeOrganization],
          ]}
        />
      )}
    </Read>
  );
}

const eventColumns: Column<ParkedEvent>[] = [
  { title: 'Id', value: ({ id }) => id },
  { title: 'Reason', value: ({ reason }) => reason },
  momentColumn('Received', ({ receivedAt }) => receivedAt),
  shortColumn('Subject', ({ subject }) => subject, { minor: true }),
  shortColumn('Detail', ({ detail }) => detail),
];

function ParkedEvents() {
  const replay = useChange(
    (ids: readonly number[]) => platform.call('replaySiteParkedEvents', { body: { ids } }),
    ({ accepted, refused }) => done(`Counted now: ${accepted}; still parked: ${refused}`),
  );
  return (
    <>
      {replay.error && <Failure error={replay.error} />}
      <Read
        what="The list of events"
        queryKey={['parked events']}
        load={() => allOf(
          (after) => platform.call('listSiteParkedEvents', { parameters: after }),
          ({ events }) => events,
        )}
      >
        {(events) => (
          <DataList
            what="events"
            rows={events}
            keyOf={({ id }) => id}
            columns={eventColumns}
            actions={({ id }) => [{ title: 'Judge again', act: () => replay.mutate([id]) }]}
            toolbar={
              <Button
                variant="default"
                disabled={events.length === 0}
                loading={replay.isPending}
                onClick={() => replay.mutate([])}
              >
                Judge all again
              </Button>
            }
            empty={<Empty title="No event is parked">Invalid and late events of clusters are kept here.</Empty>}
          />
        )}
      </Read>
    </>
  );
}

const authorityColumns: Column<Authority>[] = [
  shortColumn('Fingerprint', ({ fingerprint }) => fingerprint),
  {
    title: 'Signs', value: ({ signs }) => (signs ? 'yes' : 'no'),
    shown: ({ signs }) => (signs ? <Badge variant="light" tt="none">Signs</Badge> : '–'),
  },
  momentColumn('Valid from', ({ notBefore }) => notBefore),
  momentColumn('Until', ({ notAfter }) => notAfter),
];

function Authorities() {
  return (
    <Read what="The list of authorities" queryKey={['authorities']} load={() => platform.call('listSiteAuthorities')}>
      {({ cas }) => (
        <DataList
          what="authorities"
          rows={cas}
          keyOf={({ fingerprint }) => fingerprint}
          columns={authorityColumns}
          empty={<Empty title="There is no authority">`platform admin license-ca add` adds an authority.</Empty>}
        />
      )}
    </Read>
  );
}

const installerColumns: Column<ListedInstaller>[] = [
  shortColumn('Installer', ({ installerId }) => installerId),
  { title: 'Marketplace', value: ({ marketplace }) => marketplace },
  shortColumn('Name', ({ name }) => name),
  shortColumn('Owner', ({ owner }) => owner),
  { title: 'State', value: ({ state }) => state },
  {
    title: 'Cluster', value: ({ clusterId }) => clusterId ?? '',
    shown: ({ clusterId }) => <Short>{clusterId ?? '–'}</Short>, minor: true,
  },
];

function Installers() {
  return (
    <Read
      what="The list of installers"
      queryKey={['installers']}
      load={() => allOf(
        (after) => platform.call('listSiteInstallers', { parameters: after }),
        ({ installers }) => installers,
      )}
    >
      {(installers) => (
        <DataList
          what="installers"
          rows={installers}
          keyOf={({ installerId }) => installerId}
          columns={installerColumns}
          empty={<Empty title="There is no installer">`platform admin installer create` creates an installer.</Empty>}
        />
      )}
    </Read>
  );
}

/** Reads all pages of a list. */
async function allOf<Answer extends { readonly next?: string }, Item>(
  read: (after: { after?: string }) => Promise<Answer>, itemsOf: (answer: Answer) => readonly Item[],
): Promise<Item[]> {
  const items: Item[] = [];
  for (let after: string | undefined; ; ) {
    const answer = await read(after === undefined ? {} : { after });
    items.push(...itemsOf(answer));
    if (answer.next === undefined) return items;
    after = answer.next;
  }
}
