import { Button, Progress, Stack, Tabs, Text } from '@mantine/core';
import type { Contract, UpdateContractFields } from '@platform/client';
import { IconDownload } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAllowed } from '../api/allowed.ts';
import { ifStill, platform, readRevised } from '../api/client.ts';
import { useOrg } from '../api/acting.ts';
import { isDeployed } from '../api/page.ts';
import { Confirm, useChange } from '../ui/act.tsx';
import { Facts } from '../ui/facts.tsx';
import { Failure } from '../ui/failure.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Moment } from '../ui/moment.tsx';
import { Page } from '../ui/page.tsx';
import { Read } from '../ui/read.tsx';
import { localOf, secondsOf } from '../ui/values.ts';
import { Audit } from './contract-audit.tsx';
import { Clusters } from './contract-clusters.tsx';
import { State } from './contract-columns.tsx';
import { QuotaUse } from './quota-use.tsx';
import { operations, type ShownProps } from './operations.ts';
import { changeOf, terms, unitOf, valuesOf } from './terms.ts';

export const ContractScreen = () => <Either isSite={false} />;
export const SiteContract = () => <Either isSite />;

function Either({ isSite }: { isSite: boolean }) {
  const id = Number((useParams({ strict: false }) as { contract: string }).contract);
  const org = useOrg();
  const parameters = { id, ...(org !== undefined && { org }) };
  return (
    <Read
      what="The contract"
      queryKey={['contract', isSite, id, org]}
      load={() => readRevised(operations(isSite).get, { parameters })}
    >
      {(contract) => <Shown {...{ contract, isSite, parameters }} />}
    </Read>
  );
}

function Shown({ contract, isSite, parameters }: ShownProps) {
  const navigate = useNavigate();
  const { org } = parameters;
  const api = operations(isSite);
  const [asked, ask] = useState<'edit' | 'extend' | 'revoke' | 'delete' | 'preferences'>();
  const close = () => ask(undefined);
  const { allows, error } = useAllowed(org, [{ objectType: 'contract', objectID: contract.id }]);
  const may = (relation: string) => isSite || org === undefined || allows(relation, 'contract', contract.id);
  const list = isSite ? '/site/contracts' : org === undefined ? '/account/contracts' : `/orgs/${org}/contracts`;
  const open = useChange(
    () => platform.call(api.document, { parameters }),
    (link) => window.open(link, '_blank', 'noopener'),
  );
  const { quota, emails } = contract;
  return (
    <Page
      title={contract.name}
      above={[{ title: 'Contracts', to: list }]}
      about={<State of={contract} />}
      actions={
        <>
          {contract.documentPath !== '' && (
            <Button
              variant="default"
              leftSection={<IconDownload size={16} />}
              loading={open.isPending}
              onClick={() => open.mutate(undefined)}
            >
              Document
            </Button>
          )}
          {!isSite && may('can_update_preferences') && (
            <Button variant="default" onClick={() => ask('preferences')}>Preferences</Button>
          )}
          {isSite && <Button variant="default" onClick={() => ask('edit')}>Edit</Button>}
          {isSite && <Button variant="default" onClick={() => ask('extend')}>Extend</Button>}
          {isSite && !contract.revoked && (
            <Button variant="light" color="red" onClick={() => ask('revoke')}>Revoke</Button>
          )}
          {isSite && <Button variant="light" color="red" onClick={() => ask('delete')}>Delete</Button>}
        </>
      }
    >
      {error && <Failure error={error} what="The list of your rights" />}
      {open.error && <Failure error={open.error} />}
      <Facts
        of={[
          ['Product', contract.product],
          ['Owner', contract.orgOrUser],
          ['Begins', <Moment key="start" at={contract.start} />],
          ['Ends', <Moment key="end" at={contract.end} />],
          ['Features', contract.features.join(', ')],
          ['Offline licences', contract.allowOffline ? 'Allowed' : 'Not allowed'],
          ['Imported clusters', contract.autoAssignCluster ? 'Are bound automatically' : 'Are bound by hand'],
          ...(quota?.enabled ? [['Quota', wordsOf(quota)] as const] : []),
          ...Object.entries(emails ?? {})
            .filter(([, all]) => (all as readonly string[] | undefined)?.length)
            .map(([name, all]) => [
              `Mails: ${name.replaceAll(/([A-Z])/g, ' $1').toLowerCase()}`, (all as readonly string[]).join(', '),
            ] as const),
        ]}
      />
      <Time contract={contract} />
      {isSite && quota?.enabled && isDeployed('getContractsUsage') && <QuotaUse contract={contract} />}
      <Tabs defaultValue="clusters" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="clusters">Clusters</Tabs.Tab>
          <Tabs.Tab value="audit">What happened</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="clusters"><Clusters {...{ contract, parameters, isSite, may }} /></Tabs.Panel>
        <Tabs.Panel value="audit"><Audit {...{ isSite, parameters }} /></Tabs.Panel>
      </Tabs>
      {asked === 'edit' && (
        <FormDialog
          title="Edit the contract"
          verb="Save"
          onClose={close}
          said="The contract is changed"
          of={contract.id}
          initial={valuesOf(contract)}
          revision={contract.revision}
          fields={[{ name: 'name', label: 'Name', required: true }, ...terms]}
          act={(values, revision) => platform.call('updateContract', {
            parameters: { ...parameters, ...ifStill(revision) },
            body: changeOf<UpdateContractFields>(values),
          })}
        />
      )}
      {asked === 'extend' && (
        <FormDialog
          title="Extend the contract"
          verb="Extend"
          onClose={close}
          said="The contract is extended"
          of={contract.id}
          initial={{ end: localOf(contract.end + 365 * 86_400) }}
          fields={[{ name: 'end', label: 'Ends', kind: 'moment', required: true }]}
          act={({ end }) => platform.call('extendContract', { parameters, body: { end: secondsOf(end) } })}
        />
      )}
      {asked === 'preferences' && (
        <FormDialog
          title="Preferences"
          verb="Save"
          onClose={close}
          said="The preferences are changed"
          of={contract.id}
          initial={{
            autoAssignCluster: contract.autoAssignCluster, usageAlertClient: [...(emails?.usageAlertClient ?? [])],
          }}
          fields={[
            { name: 'autoAssignCluster', label: 'Bind clusters that the owner imports', kind: 'switch' },
            { name: 'usageAlertClient', label: 'Mails about usage go to', kind: 'tags' },
          ]}
          act={(body) => platform.call('updatePreferences', { parameters, body })}
        />
      )}
      {asked === 'revoke' && (
        <Confirm
          title="Revoke the contract"
          verb="Revoke"
          typed={contract.name}
          onClose={close}
          said="The contract is revoked"
          act={() => platform.call('revokeContract', { parameters })}
        >
          No more licences are issued under this contract. Issued licences stay valid until they end.
        </Confirm>
      )}
      {asked === 'delete' && (
        <Confirm
          title="Delete the contract"
          verb="Delete"
          typed={contract.name}
          onClose={close}
          act={async () => {
            await platform.call('deleteContract', { parameters });
            await navigate({ to: list });
          }}
        >
          Its clusters are unbound, and its audit is deleted.
        </Confirm>
      )}
    </Page>
  );
}

/** Shows how much of the contract's term has passed, and how many days are left. */
function Time({ contract: { start, end } }: { contract: Contract }) {
  const now = Date.now() / 1_000;
  const days = Math.ceil((end - now) / 86_400);
  const passed = Math.min(100, Math.max(0, ((now - start) / (end - start)) * 100));
  return (
    <Stack gap={4}>
      <Progress
        value={passed}
        color={days < 30 ? 'orange' : undefined}
        aria-label="How much of the contract's term has passed"
      />
      <Text size="sm" c="dimmed">{days > 0 ? `${days} days left` : 'It has ended'}</Text>
    </Stack>
  );
}

function wordsOf({ metric, limit, alertThresholds }: NonNullable<Contract['quota']>): string {
  const period = metric === 'clusters' ? '' : ' per month';
  const alerts = alertThresholds.length > 0 ? `, alerts at ${alertThresholds.join(', ')} %` : '';
  return `${limit} ${unitOf(metric)}${period}${alerts}`;
}
