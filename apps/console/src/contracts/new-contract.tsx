import type { CreateContractsFields } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { platform } from '../api/client.ts';
import { type Field, FormDialog } from '../ui/form-dialog.tsx';
import { given, localOf, secondsOf, type Values } from '../ui/values.ts';

const mails = [
  ['contactPerson', 'Contact person'],
  ['signingAuthority', 'Signing authority'],
  ['licenseUsers', 'Users of licences'],
  ['financeTeam', 'Finance team'],
  ['usageAlertClient', 'Usage alerts, at the client'],
  ['usageAlertAdmin', 'Usage alerts, here'],
] as const;

const metrics = [
  { value: 'memory_gib_month', label: 'Memory, GiB-months' },
  { value: 'cpu_core_month', label: 'CPU, core-months' },
  { value: 'clusters', label: 'Clusters' },
];

const hasQuota = ({ quota }: Values) => quota === true;

const terms: readonly Field[] = [
  { name: 'allowOffline', label: 'Offline licences may be issued', kind: 'switch' },
  { name: 'autoAssignCluster', label: 'Clusters that the owner imports are bound', kind: 'switch' },
  { name: 'disableAnalytics', label: 'Licences disable analytics', kind: 'switch' },
  { name: 'enableClientBilling', label: 'Licences enable client billing', kind: 'switch' },
  { name: 'quota', label: 'It has a quota', kind: 'switch' },
  { name: 'metric', label: 'Measured in', kind: 'select', options: metrics, required: true, when: hasQuota },
  { name: 'limit', label: 'Limit', kind: 'number', least: 1, required: true, when: hasQuota },
  {
    name: 'alertThresholds',
    label: 'Alert at',
    kind: 'tags',
    options: ['50', '80', '100'],
    about: 'Percent of the limit.',
    when: hasQuota,
  },
  { name: 'disableLicenseOnLimitReached', label: 'No licences beyond the limit', kind: 'switch', when: hasQuota },
  ...mails.map(([name, label]): Field => ({ name, label: `Mails: ${label}`, kind: 'tags' })),
  { name: 'document', label: 'Document', kind: 'file', about: 'The signed contract, for example.' },
];

/** Makes a contract for each product chosen. */
export function NewContract({ org, onClose }: { org: string | undefined; onClose: () => void }) {
  const products = useQuery({
    queryKey: ['products'],
    queryFn: () => platform.call('listProducts', { parameters: { ...(org !== undefined && { org }) } }),
  });
  const options = Object.entries((products.data ?? {}) as Record<string, { DisplayName?: string }>).map(
    ([value, { DisplayName }]) => ({ value, label: DisplayName ?? value }),
  );
  const now = Math.floor(Date.now() / 1_000);
  return (
    <FormDialog
      title="New contract"
      verb="Create"
      onClose={onClose}
      said="The contract is created"
      initial={{
        start: localOf(now),
        end: localOf(now + 365 * 86_400),
        metric: 'memory_gib_month',
        alertThresholds: ['80', '100'],
      }}
      fields={[
        { name: 'orgOrUser', label: 'Owner', required: true, about: 'Name of an organization or a user.' },
        { name: 'name', label: 'Name', required: true },
        options.length > 0
          ? { name: 'products', label: 'Products', kind: 'many', options, required: true }
          : { name: 'products', label: 'Products', kind: 'tags', required: true },
        { name: 'start', label: 'Begins', kind: 'moment', required: true },
        { name: 'end', label: 'Ends', kind: 'moment', required: true },
        ...terms,
      ]}
      act={(values) =>
        platform.call('createContracts', { parameters: { org: String(values['orgOrUser']) }, body: formOf(values) })
      }
    />
  );
}

/** JSON, or a form where a document goes with it. */
function formOf(values: Values): CreateContractsFields | FormData {
  const { document, ...rest } = values;
  const body = bodyOf(rest);
  if (!(document instanceof File)) return body;
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  form.append('document', document);
  return form;
}

function bodyOf(values: Values): CreateContractsFields {
  const { start, end, quota, metric, limit, alertThresholds, disableLicenseOnLimitReached, ...rest } = values;
  const emails = Object.fromEntries(mails.map(([name]) => [name, rest[name]]));
  for (const [name] of mails) delete rest[name];
  return {
    ...given(rest),
    start: secondsOf(start),
    end: secondsOf(end),
    emails: given(emails),
    ...(quota === true && {
      quota: {
        enabled: true,
        metric,
        limit: Number(limit),
        alertThresholds: (alertThresholds as string[]).map(Number),
        disableLicenseOnLimitReached,
      },
    }),
  } as unknown as CreateContractsFields;
}
