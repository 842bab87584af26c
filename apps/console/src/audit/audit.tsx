import { Code, Group, Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { AuditRecord } from '@platform/client';
import { useState } from 'react';
import { csvOf, platform } from '../api/client.ts';
import { useOrg } from '../api/acting.ts';
import { momentColumn, shortColumn } from '../ui/columns.tsx';
import { type Column, DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Facts } from '../ui/facts.tsx';
import { useKept } from '../ui/kept.ts';
import { Moment } from '../ui/moment.tsx';
import { Page } from '../ui/page.tsx';
import { given, instantOf } from '../ui/values.ts';

const ways: Readonly<Record<string, string>> = {
  token: 'By a token', session: 'In a browser', cli: 'On the command line', service: 'By the platform',
};

const objectOf = ({ object }: AuditRecord) =>
  object === undefined ? '' : `${object.type.replaceAll('_', ' ')} ${object.name || object.id}`;

const columns: Column<AuditRecord>[] = [
  momentColumn('When', ({ createdAt }) => createdAt),
  shortColumn('Who', ({ actor }) => actor?.login, { absent: '–', width: 180 }),
  shortColumn('What', ({ action }) => action, { mono: true }),
  shortColumn('Of', objectOf, { width: 260, minor: true }),
  { title: 'How', value: ({ via }) => ways[via] ?? via, minor: true },
];

const blank = { actor: '', action: '', object: '', since: '', until: '' };
type Filters = typeof blank;

/** Who changed what in an organization. */
export function OrganizationAudit() {
  const orgname = useOrg()!;
  return (
    <Audit
      about={`Who changed what in ${orgname}, newest first.`}
      of={{ org: orgname }}
      csv={(filters) => csvOf('listOrganizationAudit', { orgname, ...filters })}
      load={(parameters) => platform.list('listOrganizationAudit', { parameters: { orgname, ...parameters } })}
    />
  );
}

/** Who changed what on the whole platform. */
export function SiteAudit() {
  return (
    <Audit
      about="Who changed what on the platform, newest first."
      of="site"
      csv={(filters) => csvOf('listSiteAudit', filters)}
      load={(parameters) => platform.list('listSiteAudit', { parameters })}
    />
  );
}

interface AuditProps {
  about: string;
  /** Part of the query key: the organization, or `site` for the whole platform. */
  of: 'site' | { readonly org: string };
  csv: (filters: Partial<Filters>) => string;
  load: (parameters: Partial<Filters> & object) => Promise<{ items: readonly AuditRecord[]; total: number }>;
}

function Audit({ about, of, csv, load }: AuditProps) {
  const [typed, setTyped] = useKept('filters', blank, 'visit');
  const [{ since, until, ...texts }] = useDebouncedValue(typed, 300);
  const [shown, show] = useState<AuditRecord>();
  const filters = given({
    ...texts,
    ...(since !== '' && { since: instantOf(since) }),
    ...(until !== '' && { until: instantOf(until) }),
  }) as Partial<Filters>;
  const field = (name: keyof Filters, label: string, more: object = {}) => (
    <TextInput
      size="sm"
      label={label}
      value={typed[name]}
      onChange={({ currentTarget: { value } }) => setTyped((before) => ({ ...before, [name]: value.trim() }))}
      w={{ base: '100%', xs: 190 }}
      {...more}
    />
  );
  return (
    <Page title="Audit" about={about}>
      <Group align="flex-end">
        {field('actor', 'Who', { placeholder: 'User name' })}
        {field('action', 'What', { placeholder: 'team.update' })}
        {field('object', 'Of', { placeholder: 'team:7' })}
        {field('since', 'Since', { type: 'datetime-local' })}
        {field('until', 'Until', { type: 'datetime-local' })}
      </Group>
      <DataList
        what="changes"
        queryKey={['audit', of, filters]}
        csv={csv(filters)}
        columns={columns}
        keyOf={({ id }) => id}
        load={(page) => load({ ...filters, ...page })}
        onOpen={show}
        empty={<Empty title="No changes">Choose other filters, or a longer time.</Empty>}
      />
      {shown && (
        <Modal
          opened
          onClose={() => show(undefined)}
          size="lg"
          title={shown.action}
          closeButtonProps={{ 'aria-label': 'Close' }}
        >
          <Facts
            of={[
              ['When', <Moment key="at" at={shown.createdAt} />],
              ['Who', shown.actor?.login],
              ['How', ways[shown.via] ?? shown.via],
              ['Of', objectOf(shown)],
              ['Organization', shown.organization],
              ['Address', shown.address],
            ]}
          />
          <Code block mt="md" mah="50vh" style={{ overflow: 'auto', overflowWrap: 'anywhere' }} tabIndex={0}>
            {JSON.stringify(shown.details ?? {}, null, 2)}
          </Code>
        </Modal>
      )}
    </Page>
  );
}
