import { Box, Card, Grid, Group, Table, Text } from '@mantine/core';
import { BarChart } from '../ui/bar-chart.tsx';
import { figures } from '../ui/values.ts';
import { Wide } from '../ui/wide.tsx';
import { classes, type Day } from './view.ts';

const colors = ['#1971c2', '#2f9e44', '#e8590c', '#868e96'];

/** Memory per UTC day, stacked by billing class, beside a table with the same figures. */
export function DailyChart({ days, unit, month }: { days: readonly Day[]; unit: string; month: string }) {
  const bars = Object.entries(classes).map(([key, name], index) => ({
    name,
    color: colors[index]!,
    values: days.map((day) => day[key as keyof typeof classes]?.memory ?? 0),
    isShown: days.some((day) => day[key as keyof typeof classes] !== undefined),
  })).filter(({ isShown }) => isShown);
  const all = (place: number) => bars.reduce((sum, { values }) => sum + values[place]!, 0);
  return (
    <Card withBorder>
      <Text size="sm" c="dimmed" mb="sm">Memory per day of {month}, {unit}</Text>
      <Grid>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <BarChart
            label={`Memory per day of ${month}; the table has the figures`}
            places={days.map(({ date }) => date.slice(8))}
            series={bars}
            hintOf={(place) => [
              `${days[place]!.date}, ${unit}`,
              ...bars.flatMap(({ name, values }) =>
                values[place]! > 0 ? `${name}: ${figures.format(values[place]!)}` : []),
            ].join('\n')}
          />
          <Group gap="md" justify="center" mt="xs">
            {bars.map(({ name, color }) => (
              <Group key={color} gap={6} wrap="nowrap">
                <Box w={10} h={10} bg={color} />
                <Text size="xs">{name}</Text>
              </Group>
            ))}
          </Group>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }} mah={320} style={{ overflowY: 'auto' }}>
          <Wide of="Memory per day">
            <Table
              ta="right"
              verticalSpacing={4}
              horizontalSpacing={6}
              style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
            >
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">Day</Table.Th>
                  {[...bars.map(({ name }) => name), 'Sum'].map((name) => (
                    <Table.Th key={name} scope="col" ta="right">{name}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {days.map(({ date }, place) => (
                  <Table.Tr key={date}>
                    <Table.Th scope="row" fw={400}>{date}</Table.Th>
                    {[...bars.map(({ values }) => values[place]!), all(place)].map((amount, index) => (
                      <Table.Td key={index}>{figures.format(amount)}</Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Wide>
        </Grid.Col>
      </Grid>
    </Card>
  );
}
