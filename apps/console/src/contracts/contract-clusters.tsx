import { Button, Stack } from '@mantine/core';
import type { ContractClusterStatus } from '@platform/client';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { csvOf, platform } from '../api/client.ts';
import { Confirm, done, useChange } from '../ui/act.tsx';
import { shortColumn } from '../ui/columns.tsx';
import { DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { figures } from '../ui/values.ts';
import { operations, type ShownProps } from './operations.ts';
import { LicenceOnce } from './licence-once.tsx';

/** The clusters of a contract, with their actions. */
export function Clusters({ contract, parameters, isSite, may }: ShownProps & { may: (relation: string) => boolean }) {
  const api = operations(isSite);
  const [asked, ask] = useState<'add' | { verb: 'rename' | 'tag' | 'remove'; of: ContractClusterStatus }>();
  const [licence, setLicence] = useState<{ license: string; of: string }>();
  const close = () => ask(undefined);
  const imported = useQuery({
    queryKey: ['importable clusters', isSite, parameters],
    // One answer has only the first clusters of a long list. UUIDs of other clusters can be typed.
    queryFn: () => platform.list(api.importable, { parameters }),
    enabled: asked === 'add',
  });
  const { items: importable = [], total = 0 } = imported.data ?? {};
  const issue = useChange(
    (of: ContractClusterStatus) => platform.call(api.issue, { parameters: { ...parameters, ccID: of.id } }),
    ({ license }, of) => setLicence({ license, of: nameOf(of) }),
  );
  const add = may('can_add_clusters') ? (
    <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => ask('add')}>Bind clusters</Button>
  ) : undefined;
  const nameOf = ({ displayName, clusterStatus, cluster }: ContractClusterStatus) =>
    displayName || clusterStatus?.name || cluster;
  const tagsOf = ({ clusterStatus }: ContractClusterStatus) => clusterStatus?.tags.join(', ');
  return (
    <Stack>
      {issue.error && <Failure error={issue.error} />}
      <DataList
        what="clusters"
        queryKey={['contract clusters', isSite, contract.id, parameters.org]}
        keyOf={({ id }) => id}
        toolbar={add}
        csv={csvOf(api.clusters, parameters)}
        load={(page) => platform.list(api.clusters, { parameters: { ...parameters, ...page } })}
        columns={[
          shortColumn('Cluster', nameOf),
          shortColumn('UUID', ({ cluster }: ContractClusterStatus) => cluster, { mono: true, minor: true }),
          shortColumn('Tags', tagsOf, { absent: '–', minor: true }),
          { title: 'Imported', value: ({ clusterStatus }) => (clusterStatus?.isImported ? 'Yes' : 'No') },
          shortColumn('Problem', ({ error }: ContractClusterStatus) => error, { absent: '–', minor: true }),
        ]}
        actions={(of) => [
          contract.allowOffline && may('can_issue_license')
            && { title: 'Issue a licence', act: () => issue.mutate(of) },
          may('can_edit_clusters') && { title: 'Rename', act: () => ask({ verb: 'rename', of }) },
          may('can_edit_clusters') && { title: 'Tags', act: () => ask({ verb: 'tag', of }) },
          may('can_remove_clusters') && { title: 'Unbind', color: 'red', act: () => ask({ verb: 'remove', of }) },
        ]}
        empty={
          <Empty title="No clusters are bound" action={add}>A licence is issued for a cluster that is bound.</Empty>
        }
      />
      {asked === 'add' && (
        <FormDialog
          title="Bind clusters"
          verb="Bind"
          onClose={close}
          said="The clusters are bound"
          fields={[
            {
              name: 'imported', label: 'Imported clusters', kind: 'many', error: imported.error,
              options: importable.map(({ uid, name, displayName }) => ({ value: uid, label: displayName || name })),
              about: importable.length < total &&
                `Shows ${figures.format(importable.length)} of ${figures.format(total)}. Enter other UUIDs below.`,
            },
            {
              name: 'clusters', label: 'UUIDs of other clusters', kind: 'tags',
              about: 'For each cluster, the UID of its namespace kube-system.',
            },
            { name: 'displayName', label: 'Name', about: 'For a single cluster.' },
            { name: 'tags', label: 'Tags', kind: 'tags' },
          ]}
          act={({ imported: known, clusters, displayName, tags }) => platform.call(api.add, {
            parameters,
            body: [...(known as string[]), ...(clusters as string[])].map((cluster) => ({
              cluster,
              ...(displayName !== '' && { displayName: String(displayName) }),
              tags: tags as string[],
            })),
          })}
        />
      )}
      {typeof asked === 'object' && asked.verb === 'rename' && (
        <FormDialog
          title="Rename the cluster"
          verb="Save"
          onClose={close}
          of={asked.of.id}
          initial={{ clusterName: nameOf(asked.of) }}
          said="The cluster is renamed"
          fields={[{ name: 'clusterName', label: 'Name', required: true }]}
          act={({ clusterName }) => platform.call(api.rename, {
            parameters: { ...parameters, ccID: asked.of.id },
            body: { clusterName: String(clusterName) },
          })}
        />
      )}
      {typeof asked === 'object' && asked.verb === 'tag' && (
        <FormDialog
          title="Tags of the cluster"
          verb="Save"
          onClose={close}
          of={asked.of.id}
          initial={{ tags: [...(asked.of.clusterStatus?.tags ?? [])] }}
          said="The tags are changed"
          fields={[{ name: 'tags', label: 'Tags', kind: 'tags' }]}
          act={({ tags }) => platform.call(api.tag, {
            parameters: { ...parameters, ccID: asked.of.id },
            body: { tags: tags as string[] },
          })}
        />
      )}
      {typeof asked === 'object' && asked.verb === 'remove' && (
        <Confirm
          title="Unbind the cluster"
          verb="Unbind"
          onClose={close}
          said="The cluster is unbound"
          act={() => platform.call(api.remove, { parameters: { ...parameters, ccID: asked.of.id } })}
        >
          {nameOf(asked.of)} gets no more licences under this contract.
        </Confirm>
      )}
      {licence !== undefined && (
        <LicenceOnce
          {...licence}
          onClose={() => {
            setLicence(undefined);
            done('The licence is issued');
          }}
        />
      )}
    </Stack>
  );
}
