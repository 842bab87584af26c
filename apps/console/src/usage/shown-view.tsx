import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { fetched } from '../api/fetched.ts';
import { shortColumn } from '../ui/columns.tsx';
import { type Column, DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Figure } from '../ui/figure.tsx';
import { Moment } from '../ui/moment.tsx';
import { Read } from '../ui/read.tsx';
import { figures } from '../ui/values.ts';
import { DailyChart } from './chart.tsx';
import { type Amount, csvOfView, type Split, splits, type View } from './view.ts';

/** The properties that identify a row. A row has only some of them. */
const identity = ['objectID', 'clusterUID', 'namespace', 'contractID', 'kind', 'group', 'ownerID'];

const nameOf: Record<Split, (row: Record<string, unknown>) => string> = {
  clusters: (row) => String(row['clusterName'] || row['clusterUID']),
  contracts: (row) =>
    String(row['contractName'] || (row['contractID'] === 0 ? 'Outside any contract' : row['contractID'])),
  namespaces: (row) => String(row['namespace']),
  kinds: (row) => `${String(row['kind'])} (${String(row['group'])})`,
  objects: (row) => String(row['name']),
};

/** The usage of a month: its totals, days and rows, and the history of a selected object. */
export function ShownView({ view, open }: { view: View; open: (row: Record<string, unknown>) => void }) {
  const { question } = view;
  const { split, type, product } = question;
  const [object, setObject] = useState<Record<string, unknown>>();
  const { days = [], units, totals } = view;
  const usageOf = (row: Record<string, unknown>) => row['usage'] as Amount;
  const amount = (
    title: string, of: (usage: Amount) => number | undefined, minor = false,
  ): Column<Record<string, unknown>> => ({
    title,
    value: (row) => of(usageOf(row)) ?? 0,
    shown: (row) => figures.format(of(usageOf(row)) ?? 0),
    numeric: true,
    minor,
  });
  const opens = product === 'productdb' && ['clusters', 'namespaces', 'objects'].includes(split);
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 2, md: type === 'billable' ? 5 : 2 }}>
        <Figure name="Memory" value={figures.format(totals.memory)} about={units.memory} />
        <Figure name="CPU" value={figures.format(totals.cpu)} about={units.cpu} />
        {type === 'billable' && (
          <>
            <Figure name="Production" value={figures.format(totals.prod?.memory ?? 0)} about={units.memory} />
            <Figure name="Other" value={figures.format(totals.nonProd?.memory ?? 0)} about={units.memory} />
            <Figure name="Free" value={figures.format(totals.free?.memory ?? 0)} about={units.memory} />
          </>
        )}
      </SimpleGrid>
      {days.length > 0 && <DailyChart days={days} unit={units.memory} month={question.month} />}
      <DataList<Record<string, unknown>>
        what={splits[split].toLowerCase()}
        rows={view.rows}
        csv={csvOfView(question)}
        keyOf={(row) => JSON.stringify(identity.map((name) => row[name]))}
        columns={[
          shortColumn(splits[split].replace(/s$/, ''), nameOf[split]),
          ...(split === 'namespaces' || split === 'objects'
            ? [shortColumn('Cluster', nameOf.clusters, { width: 180, minor: true })] : []),
          amount(`Memory, ${units.memory}`, ({ memory }) => memory),
          amount(`CPU, ${units.cpu}`, ({ cpu }) => cpu, true),
          ...(type === 'billable'
            ? [amount('Production', ({ prod }) => prod?.memory, true), amount('Free', ({ free }) => free?.memory, true)]
            : []),
        ]}
        onOpen={opens ? (row) => (split === 'objects' ? setObject(row) : open(row)) : undefined}
        empty={<Empty title="No use here">Choose another month or product.</Empty>}
      />
      <Text size="sm" c="dimmed">
        Counted <Moment at={view.generatedAt} />.{' '}
        {view.final ? 'These figures are final.' : 'These figures may still change.'}
      </Text>
      {object && (
        <Read what="The history" queryKey={['code', 'history']} load={() => fetched(() => import('./history.tsx'))}>
          {({ History }) => (
            <History org={question.org} month={question.month} object={object} onClose={() => setObject(undefined)} />
          )}
        </Read>
      )}
    </Stack>
  );
}
