import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { csvOf, platform } from '../api/client.ts';
import { useAdministration, useAnyOrg, useOrg } from '../api/acting.ts';
import { DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { contractColumns } from './contract-columns.tsx';
import { SoonEnding } from './soon-ending.tsx';
import { NewContract } from './new-contract.tsx';

/** The contracts of an organization, or of the person's own account. */
export function Contracts() {
  const org = useOrg();
  const navigate = useNavigate();
  const base = org === undefined ? '/account/contracts' : `/orgs/${org}/contracts`;
  const parameters = { ...(org !== undefined && { org }) };
  const queryKey = ['contracts', 'of', org];
  const load = (page: object) => platform.list('listUserContracts', { parameters: { ...parameters, ...page } });
  return (
    <Page
      title={org === undefined ? 'My contracts' : 'Contracts'}
      about="A contract says which product may run on which clusters, and in which period."
    >
      <SoonEnding {...{ queryKey, load }} walk={() => platform.walk('listUserContracts', { parameters })} />
      <DataList
        what="contracts"
        queryKey={queryKey}
        csv={csvOf('listUserContracts', parameters)}
        columns={contractColumns.filter(({ title }) => title !== 'Owner')}
        keyOf={({ id }) => id}
        load={load}
        onOpen={({ id }) => void navigate({ to: `${base}/${id}` })}
        empty={<Empty title="No contracts yet">The vendor creates contracts. Ask your contact person.</Empty>}
      />
    </Page>
  );
}

/**
 * The list of contracts for site admins. Members of the administrative organization see the contracts of all accounts.
 * Other site admins see only the contracts of their own account.
 */
export function SiteContracts() {
  const navigate = useNavigate();
  const org = useAnyOrg();
  const administration = useAdministration();
  const [isNew, setNew] = useState(false);
  const create = <Button leftSection={<IconPlus size={16} />} onClick={() => setNew(true)}>New contract</Button>;
  if (!administration.isKnown) return <Waiting what="your organizations" />;
  const isAll = administration.slug !== undefined;
  const parameters: { org?: string } = isAll ? { org: administration.slug! } : {};
  const queryKey = ['contracts', 'all', administration.slug];
  const load = (page: object) => platform.list('listContracts', { parameters: { ...parameters, ...page } });
  return (
    <Page
      title={isAll ? 'All contracts' : 'Contracts'}
      about={
        isAll
          ? 'The contracts of all accounts: which products may run on which clusters, and in which period.'
          : 'Your own contracts. Members of the administrative organization see the contracts of all accounts.'
      }
      actions={create}
    >
      <SoonEnding {...{ queryKey, load }} walk={() => platform.walk('listContracts', { parameters })} />
      <DataList
        what="contracts"
        queryKey={queryKey}
        csv={csvOf('listContracts', parameters)}
        columns={contractColumns}
        keyOf={({ id }) => id}
        load={load}
        onOpen={({ id }) => void navigate({ to: `/site/contracts/${id}` })}
        empty={<Empty title="No contracts yet" action={create}>Create the first contract.</Empty>}
      />
      {isNew && <NewContract org={org} onClose={() => setNew(false)} />}
    </Page>
  );
}
