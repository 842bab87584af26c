import { Anchor, Breadcrumbs, Button, Group, SegmentedControl, Select, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { platform } from '../api/client.ts';
import { useOrg } from '../api/acting.ts';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { ShownView } from './shown-view.tsx';
import {
  type ProductKey, products, countedMonths, type Question, readView, type Split, splits, splitsOf,
} from './view.ts';

/** The usage of an organization in a month. The person selects the month, the product, and how to split the usage. */
export function Usage() {
  const org = useOrg()!;
  const [chosen, setMonth] = useState<string>();
  const [product, setProduct] = useState<ProductKey>('productdb');
  const [type, setType] = useState<'total' | 'billable'>('billable');
  const [split, setSplit] = useState<Split>('clusters');
  const [below, setBelow] = useState<{ cluster?: string; clusterName?: string; namespace?: string }>({});
  const months = useQuery({ queryKey: ['months', org], queryFn: () => countedMonths(org) });
  const counted = months.data ?? [];
  const present = new Date().toISOString().slice(0, 7);
  const month = chosen ?? counted[0] ?? present;
  const question: Question = {
    org, month, product, split, type, clusterUID: below.cluster, namespace: below.namespace,
  };
  const view = useQuery({
    queryKey: ['usage', question],
    // Do not ask for a month without use.
    enabled: counted.includes(month),
    queryFn: () => readView(question),
  });
  // Draw new data with low priority, so that the page stays responsive.
  const shown = useDeferredValue(view.data);
  const [year, number] = month.split('-');
  const isNone = months.data !== undefined && !counted.includes(month);
  const splitBy = {
    value: split,
    onChange: (value: string | null) => setSplit(value as Split),
    data: splitsOf(product).map((value) => ({ value, label: splits[value] })),
  };
  const go = (to: typeof below, by: Split) => {
    setBelow(to);
    setSplit(by);
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
          data={[{ value: 'billable', label: 'Billable' }, { value: 'total', label: 'All use' }]}
        />
        <SegmentedControl {...splitBy} visibleFrom="sm" aria-label="Split by" />
        <Select {...splitBy} hiddenFrom="sm" label="Split by" w={150} allowDeselect={false} />
      </Group>
      {below.cluster !== undefined && (
        <Breadcrumbs>
          <Anchor component="button" onClick={() => go({}, 'clusters')}>All clusters</Anchor>
          <Anchor
            component="button"
            onClick={() => go({ cluster: below.cluster, clusterName: below.clusterName }, 'namespaces')}
          >
            {below.clusterName}
          </Anchor>
          {below.namespace !== undefined && <Text size="sm">{below.namespace}</Text>}
        </Breadcrumbs>
      )}
      {months.error && !months.data ? (
        <Failure error={months.error} what="The usage" retry={months.refetch} />
      ) : isNone ? (
        <Empty title="Nothing was metered in this month">
          Use appears here once agents in clusters report it. Choose another month.
        </Empty>
      ) : shown === undefined && view.error ? (
        <Failure error={view.error} what="The usage" retry={view.refetch} />
      ) : shown === undefined ? <Waiting what="the usage" /> : (
        <ShownView
          view={shown}
          open={(row) => {
            const cluster = String(row['clusterUID']);
            const clusterName = String(row['clusterName'] || row['clusterUID']);
            if (split === 'clusters' && product === 'productdb') {
              go({ cluster, clusterName }, 'namespaces');
            } else if (split === 'namespaces') {
              go({ cluster, clusterName, namespace: String(row['namespace']) }, 'objects');
            }
          }}
        />
      )}
    </Page>
  );
}
