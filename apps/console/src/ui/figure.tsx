import { Card, Text } from '@mantine/core';

/** A number with its name, and optionally a text below it. */
export function Figure({ name, value, about }: { name: string; value: string; about?: string }) {
  return (
    <Card withBorder>
      <Text size="sm" c="dimmed">{name}</Text>
      <Text fz={26} fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>{value}</Text>
      {about && <Text size="xs" c="dimmed">{about}</Text>}
    </Card>
  );
}
