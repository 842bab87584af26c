import { Anchor, Card, Group, Stack, Text, Title } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useBranding } from '../api/branding.ts';

/** A card outside of the shell, under the logo. */
export function Framed({ title, children }: { title: string; children: ReactNode }) {
  const { data } = useBranding();
  return (
    <Stack w="100%" maw={420} gap="lg">
      <Group justify="center" gap="sm">
        {data?.logo.startsWith('data:image/') && (
          <img src={data.logo} alt="" height={40} style={{ maxWidth: 160, objectFit: 'contain' }} />
        )}
        <Title order={1} fz={24} ta="center">
          {title}
        </Title>
      </Group>
      <Card withBorder shadow="sm" p="xl" radius="lg">
        {children}
      </Card>
      <Text size="xs" c="dimmed" ta="center">
        <Anchor
          href={`${document.querySelector<HTMLMetaElement>('meta[name="platform-base"]')?.content ?? ''}/api/swagger`}
          size="xs"
          underline="always"
        >
          API reference
        </Anchor>
      </Text>
    </Stack>
  );
}

/** Submits a form without leaving the page. */
export function onSubmit(act: () => void) {
  return (event: FormEvent) => {
    event.preventDefault();
    act();
  };
}
