import { Button } from '@mantine/core';
import type { ClusterInfo } from '@platform/client';
import { IconPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { csvOf, ifStill, platform, readRevised, type Revised } from '../api/client.ts';
import { useActing } from '../api/acting.ts';
import { Confirm } from '../ui/act.tsx';
import { shortColumn } from '../ui/columns.tsx';
import { type Column, DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import type { Field } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { given, type Values } from '../ui/values.ts';

/** An imported cluster, with the caller's rights on it. */
type Shown = ClusterInfo & { readonly may: readonly string[] };

const columns: Column<Shown>[] = [
  shortColumn('Name', ({ name }) => name),
  shortColumn('Title', ({ displayName }) => displayName, { absent: '–', minor: true }),
  shortColumn('UUID', ({ uid }) => uid, { mono: true, minor: true }),
  { title: 'Provider', value: ({ provider }) => provider, minor: true },
  { title: 'Kubernetes', value: ({ kubernetesVersion }) => kubernetesVersion || '–' },
  { title: 'Nodes', value: ({ nodeCount }) => nodeCount, numeric: true },
  { title: 'State', value: ({ status }) => String(status?.['phase'] ?? '–') },
];

const kubeconfig: Field = {
  name: 'kubeconfig', label: 'Kubeconfig', kind: 'file',
  about: 'A file in YAML or JSON. It is stored encrypted and never shown.',
};
const title: Field = { name: 'displayName', label: 'Title' };

/** The clusters that an organization has imported. */
export function ImportedClusters() {
  const { org, may } = useActing();
  const [asked, ask] = useState<'new' | { edit: Revised<ClusterInfo> } | { remove: Shown }>();
  const open = useMutation({
    mutationFn: (cluster: string) => readRevised('getCluster', { parameters: { owner: org, cluster } }),
    onSuccess: (cluster) => ask({ edit: cluster }),
  });
  const close = () => ask(undefined);
  const create = may('can_import_clusters') ? (
    <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => ask('new')}>Import a cluster</Button>
  ) : undefined;
  return (
    <>
      {open.error && <Failure error={open.error} />}
      <DataList<Shown>
        what="clusters"
        queryKey={['imported clusters', org]}
        keyOf={({ id }) => id}
        toolbar={create}
        csv={csvOf('listImportedClusters', { org })}
        load={async (page) => {
          const { items, total } = await platform.list('listImportedClusters', { parameters: { org, ...page } });
          return { items: await withRights(org, items), total };
        }}
        columns={columns}
        actions={(one) => [
          one.may.includes('can_edit') && { title: 'Edit', act: () => open.mutate(one.name) },
          one.may.includes('can_delete') && { title: 'Remove', color: 'red', act: () => ask({ remove: one }) },
        ]}
        empty={
          <Empty title="No clusters are imported" action={create}>
            A cluster is imported by its kubeconfig, or by its UUID alone.
          </Empty>
        }
      />
      {asked === 'new' && (
        <FormDialog
          title="Import a cluster"
          verb="Import"
          onClose={close}
          said="The cluster is imported"
          fields={[
            { name: 'name', label: 'Name', required: true },
            title,
            { name: 'provider', label: 'Provider', about: 'Where the cluster runs.' },
            kubeconfig,
            { name: 'uid', label: 'UUID', about: 'UID of the namespace kube-system. Required without a kubeconfig.' },
            { name: 'hub', label: 'It is a hub', kind: 'switch', about: 'A hub must run Open Cluster Management.' },
          ]}
          act={async (values) => platform.call('createCluster', {
            parameters: { org },
            body: { ...(await withText(values)), name: String(values['name']) },
          })}
        />
      )}
      {typeof asked === 'object' && 'edit' in asked && (
        <FormDialog
          title={`Edit ${asked.edit.name}`}
          verb="Save"
          onClose={close}
          said="The cluster is changed"
          of={asked.edit.id}
          revision={asked.edit.revision}
          initial={{ displayName: asked.edit.displayName }}
          fields={[title, { ...kubeconfig, label: 'New kubeconfig' }]}
          act={async (values, revision) => platform.call('updateCluster', {
            parameters: { owner: org, cluster: asked.edit.name, ...ifStill(revision) },
            body: { ...(await withText(values)), displayName: String(values['displayName']) },
          })}
        />
      )}
      {typeof asked === 'object' && 'remove' in asked && (
        <Confirm
          title={`Remove the cluster ${asked.remove.name}`}
          verb="Remove"
          typed={asked.remove.name}
          onClose={close}
          said="The cluster is removed"
          act={() => platform.call('deleteCluster', { parameters: { owner: org, cluster: asked.remove.name } })}
        >
          The platform forgets its kubeconfig. Nothing changes on the cluster.
        </Confirm>
      )}
    </>
  );
}

/** Adds the caller's rights to the first 1,000 clusters, with one call. Other clusters get no rights. */
async function withRights(org: string, clusters: readonly ClusterInfo[]): Promise<readonly Shown[]> {
  if (clusters.length === 0) return [];
  const body = clusters.slice(0, 1_000).map(({ id }) => ({ objectType: 'cluster', objectID: id }));
  const answers = await platform.call('listAllowedPermissions', { parameters: { org }, body });
  const rights = new Map(answers.map(({ objectID, allowedPermissions }) => [objectID, allowedPermissions]));
  return clusters.map((one) => ({ ...one, may: rights.get(one.id) ?? [] }));
}

/** Returns the form values that are not empty. The text of the kubeconfig replaces the file. */
async function withText({ kubeconfig: file, ...values }: Values): Promise<Values> {
  return given({ ...values, kubeconfig: file instanceof File ? await file.text() : undefined });
}
