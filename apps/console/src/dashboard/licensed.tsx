import { SegmentedControl } from '@mantine/core';
import type { ClusterInfo, LicensedPlan, LicensedUser, ReceivedProduct } from '@platform/client';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { csvOf, platform } from '../api/client.ts';
import { useAnyOrg } from '../api/acting.ts';
import { momentColumn, shortColumn } from '../ui/columns.tsx';
import { type Column, DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';
import { NeedsOrganization } from './needs-organization.tsx';

const userColumns: Column<LicensedUser>[] = [
  shortColumn('Account', ({ username }) => username),
  { title: 'Kind', value: ({ userType }) => (userType === 'user' ? 'Person' : 'Organization') },
  shortColumn('E-mail', ({ email }) => email, { absent: '–', minor: true }),
  momentColumn('Last event', ({ lastReceivedAt }) => lastReceivedAt, { absent: 'Never' }),
];

const lists = { all: 'listLicensedUsers', active: 'listActiveUsers', inactive: 'listInactiveUsers' } as const;

/** Accounts that hold licences, and when events of their clusters last arrived. */
export function Licensed() {
  const org = useAnyOrg();
  const navigate = useNavigate();
  const [which, choose] = useState<keyof typeof lists>('all');
  if (org === undefined) return <NeedsOrganization title="Licensed users" />;
  return (
    <Page title="Licensed users" about="Accounts that hold licences, and when events of their clusters last arrived.">
      <DataList
        what="accounts"
        queryKey={['licensed', which, org]}
        csv={csvOf(lists[which], { org })}
        columns={userColumns}
        keyOf={({ userID }) => userID}
        toolbar={
          <SegmentedControl
            size="xs"
            aria-label="Which accounts"
            value={which}
            onChange={(value) => choose(value as keyof typeof lists)}
            data={[
              { value: 'all', label: 'All' }, { value: 'active', label: 'Active' },
              { value: 'inactive', label: 'Inactive' },
            ]}
          />
        }
        load={({ limit: _limit, ...page }) => platform.list(lists[which], { parameters: { org, ...page } })}
        onOpen={({ userID }) => void navigate({ to: `/site/licensed/${userID}` })}
        empty={
          <Empty title="No accounts here">
            {which === 'active' ? 'No event arrived lately.' : 'No account with a licence is listed here.'}
          </Empty>
        }
      />
    </Page>
  );
}

type Place = { uid: string; cluster: string; licence: string };
const usePlace = () => useParams({ strict: false }) as Place;
const start = { title: 'Licensed users', to: '/site/licensed' };

/** The clusters of an account. */
export function LicensedUserScreen() {
  const { uid } = usePlace();
  const org = useAnyOrg();
  const navigate = useNavigate();
  if (org === undefined) return <NeedsOrganization title="Clusters" />;
  const at = `/site/licensed/${uid}`;
  return (
    <Page title={`Clusters of account ${uid}`} above={[start]}>
      <DataList<ClusterInfo>
        what="clusters"
        queryKey={['licensed clusters', uid, org]}
        csv={csvOf('listUserClusters', { uid, org })}
        keyOf={({ uid: id }) => id}
        load={({ limit: _limit, ...page }) => platform.list('listUserClusters', { parameters: { uid, org, ...page } })}
        columns={[
          shortColumn('Cluster', ({ displayName, name, uid: id }) => displayName || name || id),
          shortColumn('UUID', ({ uid: id }) => id, { mono: true, minor: true }),
          { title: 'Provider', value: ({ provider }) => provider, minor: true },
          { title: 'Kubernetes', value: ({ kubernetesVersion }) => kubernetesVersion, minor: true },
          { title: 'Nodes', value: ({ nodeCount }) => nodeCount, numeric: true },
        ]}
        onOpen={({ uid: id }) => void navigate({ to: `${at}/${id}` })}
        empty={<Empty title="No clusters">No event of this account arrived.</Empty>}
      />
    </Page>
  );
}

/** The licences of a cluster. */
export function LicensedCluster() {
  const { uid, cluster: cid } = usePlace();
  const org = useAnyOrg();
  const navigate = useNavigate();
  if (org === undefined) return <NeedsOrganization title="Licences" />;
  return (
    <Page
      title="Licences of the cluster"
      about={cid}
      above={[start, { title: `Account ${uid}`, to: `/site/licensed/${uid}` }]}
    >
      <DataList<LicensedPlan>
        what="licences"
        queryKey={['licensed licences', uid, cid, org]}
        csv={csvOf('listUserLicenses', { uid, cid, org })}
        keyOf={({ licenseID }) => licenseID}
        load={({ limit: _limit, ...page }) =>
          platform.list('listUserLicenses', { parameters: { uid, cid, org, ...page } })}
        columns={[
          shortColumn('Licence', ({ licenseID }) => licenseID, { mono: true }),
          { title: 'Plan', value: ({ planName }) => planName },
          momentColumn('From', ({ notBefore }) => notBefore, { minor: true }),
          momentColumn('Until', ({ notAfter }) => notAfter),
        ]}
        onOpen={({ licenseID }) => void navigate({ to: `/site/licensed/${uid}/${cid}/${licenseID}` })}
        empty={<Empty title="No licences">No licence was issued for this cluster.</Empty>}
      />
    </Page>
  );
}

/** The products that sent events under a licence. */
export function LicensedLicence() {
  const { uid, cluster: cid, licence: lid } = usePlace();
  const org = useAnyOrg();
  const navigate = useNavigate();
  if (org === undefined) return <NeedsOrganization title="Products" />;
  return (
    <Page
      title="Products under the licence"
      about={lid}
      above={[
        start,
        { title: `Account ${uid}`, to: `/site/licensed/${uid}` },
        { title: 'Cluster', to: `/site/licensed/${uid}/${cid}` },
      ]}
    >
      <DataList<ReceivedProduct>
        what="products"
        queryKey={['licensed products', uid, cid, lid, org]}
        csv={csvOf('listReceivedProducts', { uid, cid, lid, org })}
        keyOf={({ productName }) => productName}
        load={({ limit: _limit, ...page }) =>
          platform.list('listReceivedProducts', { parameters: { uid, cid, lid, org, ...page } })}
        columns={[
          { title: 'Product', value: ({ productName }) => productName },
          momentColumn('First event', ({ firstReceivedAt }) => firstReceivedAt, { minor: true }),
          momentColumn('Last event', ({ lastReceivedAt }) => lastReceivedAt),
        ]}
        onOpen={({ productName }) => void navigate({ to: `/site/licensed/${uid}/${cid}/${lid}/${productName}` })}
        empty={<Empty title="No products">No event arrived under this licence.</Empty>}
      />
    </Page>
  );
}
