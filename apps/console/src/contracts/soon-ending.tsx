import { Button, Card, Group, Text, Title } from '@mantine/core';
import type { Contract } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Calendar } from '../ui/calendar.tsx';
import { isWhole, type Part, useList } from '../ui/data-list.tsx';
import { Failure } from '../ui/failure.tsx';
import { figures } from '../ui/values.ts';
import { Waiting } from '../ui/waiting.tsx';

const halfYearSeconds = 26 * 7 * 86_400;

interface SoonEndingProps {
  /** Query key of the contract list on the same page, so that the list and this calendar share one query. */
  queryKey: readonly unknown[];
  load: (page: object) => Promise<Part<Contract>>;
  /** Reads the whole list, which may be long. Called only after the person has asked for it. */
  walk: () => AsyncIterable<Contract>;
}

/** A calendar of the contracts that end in the coming half year, without revoked contracts. */
export function SoonEnding({ queryKey, load, walk }: SoonEndingProps) {
  const first = useList({ queryKey, load }).data;
  const isLonger = first !== undefined && !isWhole(first);
  const [isWanted, want] = useState(false);
  const all = useQuery({
    queryKey: [...queryKey, 'all'],
    queryFn: () => Array.fromAsync(walk()),
    enabled: isLonger && isWanted,
  });
  if (isLonger && !isWanted && !all.data) {
    return (
      <Card withBorder>
        <Group justify="space-between">
          <Text size="sm">To find what ends soon, all {figures.format(first.total)} contracts are read.</Text>
          <Button variant="default" size="xs" onClick={() => want(true)}>Find what ends soon</Button>
        </Group>
      </Card>
    );
  }
  if (isLonger && all.isPending && !all.error) return <Waiting what="all contracts" />;
  if (isLonger && all.error && !all.data) return <Failure error={all.error} what="The contracts that end soon" />;
  const data = isLonger ? all.data : first?.items;
  const now = Date.now() / 1_000;
  const ending = data?.filter(({ end, revoked }) => !revoked && end > now && end < now + halfYearSeconds) ?? [];
  if (ending.length === 0) {
    return isLonger ? <Text size="sm">No contract ends in the coming half year.</Text> : null;
  }
  const named = new Map<string, string[]>();
  for (const { end, name } of ending) {
    const date = new Date(end * 1_000).toISOString().slice(0, 10);
    named.set(date, [...(named.get(date) ?? []), name]);
  }
  const amounts = new Map([...named].map(([date, names]) => [date, names.length]));
  return (
    <Card withBorder>
      <Title order={2} fz={16}>Ending soon</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {ending.length === 1 ? 'One contract ends' : `${ending.length} contracts end`} in the coming half year. Licences
        end with their contract at the latest. Days are in UTC.
      </Text>
      <Calendar
        amounts={amounts}
        words={(_, date) => named.get(date)?.map((name) => name.slice(0, 60)).join(', ') ?? 'none'}
        label={`${amounts.size} days on which contracts end`}
        half="coming"
      />
    </Card>
  );
}
