import { Stack, Tabs } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useOrg } from '../api/acting.ts';
import { Page } from '../ui/page.tsx';
import { SetCard } from './cluster-set.tsx';
import { Sets } from './cluster-sets.tsx';
import { Namespaces } from './namespaces.tsx';
import type { Place } from './place.ts';

/** A hub: its cluster sets with their features, and its namespaces that are bound to cluster sets. */
export function Hub() {
  const place = useParams({ strict: false }) as Place;
  const { owner, cluster } = place;
  const org = useOrg()!;
  const [chosen, choose] = useState<string>();
  return (
    <Page title={cluster} about={`Hub of ${owner}`} above={[{ title: 'Clusters', to: `/orgs/${org}/clusters` }]}>
      <Tabs defaultValue="sets" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="sets">Cluster sets</Tabs.Tab>
          <Tabs.Tab value="namespaces">Namespaces</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="sets">
          <Stack>
            <Sets place={{ owner, cluster }} choose={choose} forget={() => choose(undefined)} />
            {chosen !== undefined && <SetCard key={chosen} place={{ owner, cluster }} name={chosen} />}
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="namespaces"><Namespaces place={{ owner, cluster }} /></Tabs.Panel>
      </Tabs>
    </Page>
  );
}
