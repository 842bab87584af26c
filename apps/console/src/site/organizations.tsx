import { useDebouncedValue } from '@mantine/hooks';
import type { Organization } from '@platform/client';
import { useNavigate } from '@tanstack/react-router';
import { csvOf, platform } from '../api/client.ts';
import { shortColumn } from '../ui/columns.tsx';
import { type Column, DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { useKept } from '../ui/kept.ts';
import { Page } from '../ui/page.tsx';

const kinds: Readonly<Record<number, string>> = { 1: 'With a multi-cluster manager', 2: 'Client', 6: 'Administration' };

const columns: Column<Organization>[] = [
  shortColumn('Organization', ({ username }) => username),
  shortColumn('Name', ({ full_name }) => full_name, { absent: '–', minor: true }),
  { title: 'Kind', value: ({ orgType }) => kinds[orgType] ?? 'Ordinary' },
  { title: 'Visible to', value: ({ visibility }) => visibility, minor: true },
];

/** All organizations of the platform. */
export function SiteOrganizations() {
  const navigate = useNavigate();
  const [text, setText] = useKept('search', '', 'visit');
  const [q] = useDebouncedValue(text.trim(), 250);
  const parameters = q === '' ? {} : { q };
  return (
    <Page title="Organizations">
      <DataList
        what="organizations"
        queryKey={['site organizations', q]}
        csv={csvOf('listSiteOrganizations', parameters)}
        keyOf={({ id }) => id}
        columns={columns}
        searched={{ text, set: setText }}
        load={(page) => platform.list('listSiteOrganizations', { parameters: { ...parameters, ...page } })}
        onOpen={({ username }) => void navigate({ to: '/orgs/$org', params: { org: username } })}
        empty={<Empty title="No organization matches">Search for the beginning of a name.</Empty>}
      />
    </Page>
  );
}
