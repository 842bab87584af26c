import { Combobox, InputBase, Text, useCombobox } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMyOrganizations } from '../api/session.ts';
import { useOrg } from '../api/acting.ts';

/** A menu of the person's organizations. A choice opens the overview of the organization. */
export function OrganizationSwitcher() {
  const org = useOrg();
  const navigate = useNavigate();
  const { data = [] } = useMyOrganizations();
  const [search, setSearch] = useState('');
  const combobox = useCombobox({ onDropdownClose: () => setSearch('') });
  if (data.length === 0 && org === undefined) return null;
  const found = data.filter(({ username, full_name }) =>
    `${username} ${full_name}`.toLowerCase().includes(search.toLowerCase()));
  return (
    <Combobox
      store={combobox}
      width={280}
      position="bottom-start"
      onOptionSubmit={(name) => {
        combobox.closeDropdown();
        void navigate({ to: '/orgs/$org', params: { org: name } });
      }}
    >
      <Combobox.Target>
        <InputBase
          component="button" type="button" pointer maw={220} miw={0} size="sm"
          rightSection={<IconSelector size={16} />}
          rightSectionPointerEvents="none"
          onClick={() => combobox.toggleDropdown()}
          aria-label={`Organization: ${org ?? 'none chosen'}`}
        >
          <Text size="sm" truncate dir="auto">{org ?? 'Organization'}</Text>
        </InputBase>
      </Combobox.Target>
      <Combobox.Dropdown>
        {data.length > 7 && (
          <Combobox.Search
            value={search}
            onChange={({ currentTarget }) => setSearch(currentTarget.value)}
            placeholder="Search"
            aria-label="Search organizations"
          />
        )}
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }}>
          {found.map(({ username, full_name }) => (
            <Combobox.Option key={username} value={username} active={username === org}>
              <Text size="sm" truncate dir="auto">{username}</Text>
              {full_name !== '' && <Text size="xs" c="dimmed" truncate dir="auto">{full_name}</Text>}
            </Combobox.Option>
          ))}
          {found.length === 0 && <Combobox.Empty>No organization matches</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
