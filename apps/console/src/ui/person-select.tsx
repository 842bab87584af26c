import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { platform } from '../api/client.ts';

const leastLetters = 2;

/** Chooses a person by the beginning of a name. */
export function PersonSelect(props: SelectProps) {
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), 200);
  const { data, error, isFetching } = useQuery({
    queryKey: ['people', q],
    enabled: q.length >= leastLetters,
    queryFn: () => platform.call('searchUsers', { parameters: { q } }),
    placeholderData: (before) => before,
  });
  const found = (data?.data ?? []).map(({ login, full_name }) => ({
    value: login,
    label: full_name === '' ? login : `${login} (${full_name})`,
  }));
  return (
    <Select
      {...props}
      error={props.error ?? (error && `People could not be searched: ${error.message}`)}
      searchable
      searchValue={text}
      onSearchChange={setText}
      // The platform has already filtered the options.
      filter={({ options }) => options}
      data={found.some(({ value }) => value === props.value) || !props.value ? found : [...found, props.value]}
      nothingFoundMessage={q.length < leastLetters ? 'Type two letters or more'
        : isFetching ? 'Searching …' : error ? 'The search failed' : 'No such person'}
    />
  );
}
