import type { Contract } from '@platform/client';
import type { Field } from '../ui/field.tsx';
import { given, secondsOf, type Values } from '../ui/values.ts';

const mails = [
  ['contactPerson', 'Contact person'],
  ['signingAuthority', 'Signing authority'],
  ['licenseUsers', 'Users of licences'],
  ['financeTeam', 'Finance team'],
  ['usageAlertClient', 'Usage alerts for the client'],
  ['usageAlertAdmin', 'Usage alerts for the vendor'],
] as const;

const metrics = [
  { value: 'memory_gib_month', label: 'Memory, GiB-months' },
  { value: 'cpu_core_month', label: 'CPU, core-months' },
  { value: 'clusters', label: 'Clusters' },
];

const units: Readonly<Record<string, string>> = { memory_gib_month: 'GiB-months', cpu_core_month: 'core-months' };

export const unitOf = (metric: string): string => units[metric] ?? metric;

const hasQuota = ({ quota }: Values) => quota === true;

/** Fields that the form for a new contract and the form for a change have in common. */
export const terms: readonly Field[] = [
  { name: 'allowOffline', label: 'Offline licences may be issued', kind: 'switch' },
  { name: 'autoAssignCluster', label: 'Bind clusters that the owner imports', kind: 'switch' },
  { name: 'disableAnalytics', label: 'Licences disable analytics', kind: 'switch' },
  { name: 'enableClientBilling', label: 'Licences enable client billing', kind: 'switch' },
  { name: 'quota', label: 'It has a quota', kind: 'switch' },
  { name: 'metric', label: 'Measured in', kind: 'select', options: metrics, required: true, when: hasQuota },
  { name: 'limit', label: 'Limit', kind: 'number', least: 1, required: true, when: hasQuota },
  {
    name: 'alertThresholds', label: 'Alert at', kind: 'tags', options: ['50', '80', '100'],
    about: 'Percent of the limit.', when: hasQuota,
  },
  { name: 'disableLicenseOnLimitReached', label: 'No licences beyond the limit', kind: 'switch', when: hasQuota },
  ...mails.map(([name, label]): Field => ({ name, label: `Mails: ${label}`, kind: 'tags' })),
  { name: 'document', label: 'Document', kind: 'file', about: 'The signed contract, for example.' },
];

export function valuesOf({ name, emails, quota, ...rest }: Contract): Values {
  const { allowOffline, autoAssignCluster, disableAnalytics, enableClientBilling } = rest;
  return {
    ...{ name, allowOffline, autoAssignCluster, disableAnalytics, enableClientBilling },
    ...emails,
    quota: quota?.enabled === true,
    metric: quota?.metric || 'memory_gib_month',
    limit: quota?.enabled ? quota.limit : '',
    alertThresholds: quota?.enabled ? quota.alertThresholds.map(String) : ['80', '100'],
    disableLicenseOnLimitReached: quota?.disableLicenseOnLimitReached === true,
  };
}

/**
 * Returns the body for a change of a contract. The body has all lists of e-mail addresses, also the empty ones, because
 * an empty list clears the list of the contract. If the form has no quota, the body sets `quota.enabled` to false.
 */
export function changeOf<Body>(values: Values): Body | FormData {
  return sentAs<Body>(values, {
    ...bodyOf(values),
    emails: Object.fromEntries(mails.map(([name]) => [name, values[name]])),
    ...(values['quota'] !== true && { quota: { enabled: false } }),
  });
}

/** Returns the request body that creates a contract. */
export function formOf<Body>(values: Values): Body | FormData {
  return sentAs<Body>(values, bodyOf(values));
}

/** Returns `body`. If there is a document, returns a form with the fields of `body` and the document instead. */
function sentAs<Body>({ document }: Values, body: object): Body | FormData {
  if (!(document instanceof File)) return body as Body;
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  form.append('document', document);
  return form;
}

function bodyOf(values: Values): object {
  const { document: _document, start, end, ...others } = values;
  const { quota, metric, limit, alertThresholds, disableLicenseOnLimitReached, ...rest } = others;
  const emails = Object.fromEntries(mails.map(([name]) => [name, rest[name]]));
  for (const [name] of mails) delete rest[name];
  return {
    ...given(rest),
    ...(start !== undefined && { start: secondsOf(start) }),
    ...(end !== undefined && { end: secondsOf(end) }),
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
  };
}
