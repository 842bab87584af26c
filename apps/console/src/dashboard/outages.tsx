import { Button, Card, Grid, Group, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import type { NewOutageInput, Outage, OutageReport } from '@platform/client';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { platform } from '../api/client.ts';
import { useAnyOrg } from '../api/acting.ts';
import { Calendar } from '../ui/calendar.tsx';
import { momentColumn, shortColumn } from '../ui/columns.tsx';
import { DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Figure } from '../ui/figure.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { dateOf } from '../ui/moment.tsx';
import { Page } from '../ui/page.tsx';
import { Read } from '../ui/read.tsx';
import { Short } from '../ui/short.tsx';
import { given, instantOf } from '../ui/values.ts';
import { NeedsOrganization } from './needs-organization.tsx';

const hours = (amount: number) => `${amount.toLocaleString(undefined, { maximumFractionDigits: 1 })} h`;
const lengthOf = ({ start, end }: Outage) => (dateOf(end)!.getTime() - dateOf(start)!.getTime()) / 3_600_000;

/** Shows outages as figures, by day, by cause and as a list, and adds new outages. */
export function Outages() {
  const org = useAnyOrg();
  const [isNew, setNew] = useState(false);
  const [since, setSince] = useState<string | null>(new Date(Date.now() - 180 * 86_400_000).toISOString().slice(0, 10));
  if (org === undefined) return <NeedsOrganization title="Outages" />;
  const create = <Button leftSection={<IconPlus size={16} />} onClick={() => setNew(true)}>Enter an outage</Button>;
  const parameters = { org, ...(since !== null && { start: `${since}T00:00:00Z` }) };
  return (
    <Page
      title="Outages"
      about="What was not available, for whom, for how long, and why."
      actions={
        <>
          <DatePickerInput
            size="sm"
            w={190}
            valueFormat="[Since] YYYY-MM-DD"
            clearable
            value={since}
            onChange={setSince}
            clearButtonProps={{ 'aria-label': 'Since the beginning' }}
            placeholder="Since the beginning"
          />
          {create}
        </>
      }
    >
      <Read
        what="The outages"
        queryKey={['outages', parameters]}
        load={() => platform.call('getOutageReport', { parameters })}
      >
        {({ report, entries }) => (
          <>
            {report && entries.length > 0 && <Figures {...{ report, entries }} />}
            <DataList<Outage>
              what="outages"
              rows={entries}
              keyOf={({ id }) => id}
              columns={[
                momentColumn('From', ({ start }) => start),
                momentColumn('Until', ({ end }) => end, { minor: true }),
                { title: 'Lasted', value: lengthOf, shown: (one) => hours(lengthOf(one)), numeric: true },
                shortColumn('Account', ({ accountName }) => accountName, { absent: 'All' }),
                shortColumn('Cluster', ({ clusterID }) => clusterID, { absent: 'All', mono: true, minor: true }),
                { title: 'Tags', value: ({ tags }) => tags?.join(', '), minor: true },
                shortColumn('Comments', ({ comments }) => comments, { absent: '–', minor: true }),
              ]}
              empty={<Empty title="No outages since then" action={create}>Outages are entered here by hand.</Empty>}
            />
          </>
        )}
      </Read>
      {isNew && <NewOutage org={org} onClose={() => setNew(false)} />}
    </Page>
  );
}

function NewOutage({ org, onClose }: { org: string; onClose: () => void }) {
  const tags = useQuery({
    queryKey: ['outage tags', org],
    queryFn: () => platform.call('listOutageTags', { parameters: { org } }),
  });
  return (
    <FormDialog
      title="Enter an outage"
      verb="Enter"
      onClose={onClose}
      said="The outage is entered"
      fields={[
        { name: 'start', label: 'From', kind: 'moment', required: true },
        { name: 'end', label: 'Until', kind: 'moment', required: true },
        { name: 'accountName', label: 'Account', about: 'Empty: all accounts.' },
        { name: 'clusterID', label: 'UUID of the cluster', about: 'Empty: all clusters.' },
        {
          name: 'tags', label: 'Tags', kind: 'tags', options: [...(tags.data ?? [])], error: tags.error,
          about: 'The causes, for example network.',
        },
        { name: 'comments', label: 'Comments', kind: 'long' },
      ]}
      act={({ start, end, ...rest }) => platform.call('createOutage', {
        parameters: { org },
        body: { ...given(rest), start: instantOf(start), end: instantOf(end) } as NewOutageInput,
      })}
    />
  );
}

function Figures({ report, entries }: { report: OutageReport; entries: readonly Outage[] }) {
  const byDay = new Map<string, number>();
  for (const one of entries) {
    const day = dateOf(one.start)!.toISOString().slice(0, 10);
    byDay.set(day, (byDay.get(day) ?? 0) + lengthOf(one));
  }
  return (
    <Stack>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Figure name="Outages" value={String(report.totalOutages)} />
        <Figure name="Total time" value={hours(report.totalDurationHours)} />
      </SimpleGrid>
      <Grid>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Card withBorder h="100%">
            <Title order={2} fz={16} mb="sm">By day, in UTC</Title>
            <Calendar
              amounts={byDay}
              words={(amount) => hours(amount)}
              label={`${byDay.size} days on which outages began`}
            />
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Card withBorder h="100%">
            <Title order={2} fz={16} mb="sm">By cause</Title>
            <Stack gap="xs">
              {report.topTagsPercentage.map(({ tag, percentage }) => (
                <div key={tag}>
                  <Group justify="space-between" wrap="nowrap">
                    <Short>{tag}</Short>
                    <Text size="sm">{percentage.toFixed(0)} %</Text>
                  </Group>
                  <Progress value={percentage} aria-label={`Share of ${tag}`} />
                </div>
              ))}
            </Stack>
          </Card>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}
