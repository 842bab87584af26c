import { Box, Card, Group, Text, useComputedColorScheme } from '@mantine/core';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
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
  const isDark = useComputedColorScheme('light') === 'dark';
  const sum = ({ points }: (typeof series)[number]) => points.reduce((total, { memory }) => total + memory, 0);
  const sorted = [...series].sort((one, other) => sum(other) - sum(one));
  const shown = sorted.slice(0, sorted.length > most ? most - 1 : most);
  const rest = sorted.slice(shown.length);
  const days = new Map<string, Record<string, number | string>>();
  for (const [index, { points }] of [...shown.entries(), ...rest.map((one) => [most - 1, one] as const)]) {
    for (const { date, memory } of points) {
      const day = days.get(date) ?? { date: date.slice(8) };
      day[`s${index}`] = Number(day[`s${index}`] ?? 0) + memory;
      days.set(date, day);
    }
  }
  const data = [...days].sort(([one], [other]) => one.localeCompare(other)).map(([, day]) => day);
  const text = isDark ? '#c9c9c9' : '#495057';
  const names = [...shown.map(({ name, key }) => name || key), ...(rest.length > 0 ? ['Others'] : [])];
  return (
    <Card withBorder>
      <Text size="sm" c="dimmed" mb="sm">
        Memory per day of {month}, {unit}
      </Text>
      <div role="img" aria-label={`Memory per day of ${month}; the table below has the figures`}>
        <ResponsiveContainer width="100%" height={280}>
          <BarChart data={data} accessibilityLayer={false}>
            <CartesianGrid vertical={false} stroke={isDark ? '#3b3b3b' : '#e9ecef'} />
            <XAxis dataKey="date" tick={{ fill: text, fontSize: 12 }} tickLine={false} />
            <YAxis tick={{ fill: text, fontSize: 12 }} tickLine={false} axisLine={false} width={64} />
            <Tooltip
              cursor={{ fillOpacity: 0.1 }}
              contentStyle={{ background: isDark ? '#242424' : '#fff', borderRadius: 8, border: '1px solid #8885' }}
              formatter={(value) => Number(value).toLocaleString()}
            />
            {names.map((name, index) => (
              <Bar
                key={name}
                dataKey={`s${index < shown.length ? index : most - 1}`}
                name={name.slice(0, 40)}
                stackId="all"
                fill={colors[index]!}
                isAnimationActive={false}
              />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
      <Group gap="md" justify="center" mt="xs">
        {names.map((name, index) => (
          <Group key={name} gap={6} wrap="nowrap">
            <Box w={10} h={10} bg={colors[index]!} />
            <Text size="xs">{name.slice(0, 40)}</Text>
          </Group>
        ))}
      </Group>
    </Card>
  );
}
