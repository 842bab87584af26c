import { Box, Card, Group, Text } from '@mantine/core';
import { BarChart } from '../ui/bar-chart.tsx';
import { figures } from '../ui/values.ts';
import type { View } from './view.ts';

const colors = ['#1971c2', '#2f9e44', '#e8590c', '#9c36b5', '#0c8599', '#e03131', '#6741d9', '#868e96'];
const most = colors.length;

/** Use per UTC day, stacked by what the month is split by; the largest ones, and the rest together. */
export function DailyChart({
  series,
  unit,
  month,
}: {
  series: NonNullable<View['series']>;
  unit: string;
  month: string;
}) {
  const sum = ({ points }: (typeof series)[number]) => points.reduce((total, { memory }) => total + memory, 0);
  const sorted = [...series].sort((one, other) => sum(other) - sum(one));
  const shown = sorted.slice(0, sorted.length > most ? most - 1 : most);
  const rest = sorted.slice(shown.length);
  const days = [...new Set(series.flatMap(({ points }) => points.map(({ date }) => date)))].sort();
  const byDay = (parts: typeof series) => {
    const amounts = new Map<string, number>();
    for (const { date, memory } of parts.flatMap(({ points }) => points)) {
      amounts.set(date, (amounts.get(date) ?? 0) + memory);
    }
    return days.map((day) => amounts.get(day) ?? 0);
  };
  const bars = [
    ...shown.map((one) => ({ name: one.name || one.key, values: byDay([one]) })),
    ...(rest.length > 0 ? [{ name: 'Others', values: byDay(rest) }] : []),
  ].map((one, index) => ({ ...one, name: one.name.slice(0, 40), color: colors[index]! }));
  return (
    <Card withBorder>
      <Text size="sm" c="dimmed" mb="sm">
        Memory per day of {month}, {unit}
      </Text>
      <BarChart
        label={`Memory per day of ${month}; the table below has the figures`}
        places={days.map((day) => day.slice(8))}
        series={bars}
        hintOf={(day) =>
          [
            `${days[day]}, ${unit}`,
            ...bars.flatMap(({ name, values }) => (values[day]! > 0 ? `${name}: ${figures.format(values[day]!)}` : [])),
          ].join('\n')
        }
      />
      <Group gap="md" justify="center" mt="xs">
        {bars.map(({ name, color }) => (
          <Group key={color} gap={6} wrap="nowrap">
            <Box w={10} h={10} bg={color} />
            <Text size="xs">{name}</Text>
          </Group>
        ))}
      </Group>
    </Card>
  );
}
