import { Anchor, Breadcrumbs, Button, Group, SegmentedControl, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { platform } from '../api/client.ts';
import { useOrg } from '../api/acting.ts';
import { fetched } from '../api/fetched.ts';
import { type Column, DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Figure } from '../ui/figure.tsx';
import { Moment } from '../ui/moment.tsx';
import { Page } from '../ui/page.tsx';
import { Read } from '../ui/read.tsx';
import { Short } from '../ui/short.tsx';
import { figures } from '../ui/values.ts';
import { Waiting } from '../ui/waiting.tsx';
import { DailyChart } from './chart.tsx';
import {
  type Amount,
  type ProductKey,
  products,
  countedMonths,
  csvOfView,
  type Question,
  readView,
  type Split,
  splits,
  splitsOf,
  type View,
} from './view.ts';


/** The use of a month, with its days, its parts, and each object's history. */
export function Usage() {
  const org = useOrg()!;
  const [chosen, setMonth] = useState<string>();
  const [product, setProduct] = useState<ProductKey>('productdb');
  const [type, setType] = useState<'total' | 'billable'>('billable');
  const [split, setSplit] = useState<Split>('clusters');
  const [below, setBelow] = useState<{ cluster?: string; clusterName?: string; namespace?: string }>({});
  const months = useQuery({
    queryKey: ['months', org],
    queryFn: () => countedMonths(org),
  });
  const counted = months.data ?? [];
  const present = new Date().toISOString().slice(0, 7);
  const month = chosen ?? counted[0] ?? present;
  const question: Question = {
    org,
    month,
    product,
    split,
    type,
    clusterUID: below.cluster,
    namespace: below.namespace,
  };
  const view = useQuery({
    queryKey: ['usage', question],
    // A month without use is no question for the platform.
    enabled: counted.includes(month),
    queryFn: () => readView(question),
  });
  // What arrives is drawn in steps, between which the browser answers the person.
  const shown = useDeferredValue(view.data);
  const [year, number] = month.split('-');
  const isNone = months.data !== undefined && !counted.includes(month);
  const splitBy = {
    value: split,
    onChange: (value: string | null) => setSplit(value as Split),
    data: splitsOf(product).map((value) => ({ value, label: splits[value] })),
  };
  return (
    <Page
      title="Usage"
      about="Days and months are in UTC. The figures of a month are final 35 days after its end."
      actions={
        <Button
          component="a"
          href={platform.address('downloadMonth', { year: year!, month: number!, org })}
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          PDF of the month
        </Button>
      }
    >
      <Group align="flex-end">
        <Select
          label="Month"
          w={150}
          data={[...new Set([present, month, ...counted])].sort().reverse()}
          value={month}
          onChange={(value) => value && setMonth(value)}
          allowDeselect={false}
        />
        <Select
          label="Product"
          w={160}
          data={Object.entries(products).map(([value, label]) => ({ value, label }))}
          value={product}
          allowDeselect={false}
          onChange={(value) => {
            setProduct(value as ProductKey);
            if (!splitsOf(value as ProductKey).includes(split)) setSplit('clusters');
            setBelow({});
          }}
        />
        <SegmentedControl
          aria-label="What is counted"
          value={type}
          onChange={(value) => setType(value as typeof type)}
          data={[
            { value: 'billable', label: 'Billable' },
            { value: 'total', label: 'All use' },
          ]}
        />
        <SegmentedControl {...splitBy} visibleFrom="sm" aria-label="Split by" />
        <Select {...splitBy} hiddenFrom="sm" label="Split by" w={150} allowDeselect={false} />
      </Group>
      {below.cluster !== undefined && (
        <Breadcrumbs>
          <Anchor
            component="button"
            onClick={() => {
              setBelow({});
              setSplit('clusters');
            }}
          >
            All clusters
          </Anchor>
          <Anchor
            component="button"
            onClick={() => {
              setBelow({ cluster: below.cluster, clusterName: below.clusterName });
              setSplit('namespaces');
            }}
          >
            {below.clusterName}
          </Anchor>
          {below.namespace !== undefined && <Text size="sm">{below.namespace}</Text>}
        </Breadcrumbs>
      )}
      {months.error && !months.data ? (
        <Failure error={months.error} what="The usage" retry={() => void months.refetch()} />
      ) : isNone ? (
        <Empty title="Nothing was metered in this month">
          Use appears here once agents in clusters report it. Choose another month.
        </Empty>
      ) : shown === undefined && view.error ? (
        <Failure error={view.error} what="The usage" retry={() => void view.refetch()} />
      ) : shown === undefined ? (
        <Waiting what="the usage" />
      ) : (
        <Shown
          view={shown}
          open={(row) => {
            if (split === 'clusters' && product === 'productdb') {
              setBelow({
                cluster: String(row['clusterUID']),
                clusterName: String(row['clusterName'] || row['clusterUID']),
              });
              setSplit('namespaces');
            } else if (split === 'namespaces') {
              setBelow({
                cluster: String(row['clusterUID']),
                clusterName: String(row['clusterName'] || row['clusterUID']),
                namespace: String(row['namespace']),
              });
              setSplit('objects');
            }
          }}
        />
      )}
    </Page>
  );
}

const nameOf: Record<Split, (row: Record<string, unknown>) => string> = {
  clusters: (row) => String(row['clusterName'] || row['clusterUID']),
  contracts: (row) =>
    String(row['contractName'] || (row['contractID'] === 0 ? 'Outside any contract' : row['contractID'])),
  namespaces: (row) => String(row['namespace']),
  kinds: (row) => `${String(row['kind'])} (${String(row['group'])})`,
  objects: (row) => String(row['name']),
};

function Shown({
  view,
  open,
}: {
  view: View;
  open: (row: Record<string, unknown>) => void;
}) {
  const { question } = view;
  const { split, type, product } = question;
  const [object, setObject] = useState<Record<string, unknown>>();
  const { days = [], units, totals } = view;
  const usageOf = (row: Record<string, unknown>) => row['usage'] as Amount;
  const amount = (
    title: string,
    of: (usage: Amount) => number | undefined,
    minor = false,
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
        keyOf={(row) =>
          JSON.stringify([
            row['objectID'],
            row['clusterUID'],
            row['namespace'],
            row['contractID'],
            row['kind'],
            row['group'],
            row['ownerID'],
          ])
        }
        columns={[
          {
            title: splits[split].replace(/s$/, ''),
            value: nameOf[split],
            shown: (row) => <Short>{nameOf[split](row)}</Short>,
          },
          ...(split === 'namespaces' || split === 'objects'
            ? [
                {
                  title: 'Cluster',
                  value: nameOf.clusters,
                  shown: (row: Record<string, unknown>) => <Short width={180}>{nameOf.clusters(row)}</Short>,
                  minor: true,
                },
              ]
            : []),
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
