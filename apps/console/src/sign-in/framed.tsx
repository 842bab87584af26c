import { Anchor, Card, Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useBrand } from '../api/branding.ts';
import { addressOf } from '../api/client.ts';
import { docs } from '../api/page.ts';

/** A card with the logo and a title above it, and links to documentation below it. */
export function Framed({ title, children }: { title: string; children: ReactNode }) {
  const { logo } = useBrand();
  return (
    <Stack w="100%" maw={420} gap="lg">
      <Group justify="center" gap="sm">
        {logo !== undefined && <img src={logo} alt="" height={40} style={{ maxWidth: 160, objectFit: 'contain' }} />}
        <Title order={1} fz={24} ta="center">{title}</Title>
      </Group>
      <Card withBorder shadow="sm" p="xl" radius="lg">{children}</Card>
      <Group justify="center" gap="md">
        {docs !== '' && <Anchor href={docs} size="xs" underline="always">Documents</Anchor>}
        <Anchor href={addressOf('/api/swagger')} size="xs" underline="always">API reference</Anchor>
      </Group>
    </Stack>
  );
}
