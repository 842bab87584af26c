import { Card, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A card with names and values. An empty value is shown as a dash. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <Card withBorder>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3, xl: 4 }} spacing="lg" m={0}>
        {of.map(([name, value]) => (
          <Stack key={name} gap={2}>
            <Text component="dt" size="xs" fw={600} c="dimmed">{name}</Text>
            <Text component="dd" m={0} size="sm" style={{ overflowWrap: 'anywhere' }}>
              {value === '' || value === undefined ? '–' : value}
            </Text>
          </Stack>
        ))}
      </SimpleGrid>
    </Card>
  );
}
