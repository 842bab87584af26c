import { Center, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Shown in place of missing content, optionally with an action. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="xs" maw={440} ta="center">
        <ThemeIcon size={48} radius="xl" variant="light"><IconInbox size={26} /></ThemeIcon>
        <Text fw={600}>{title}</Text>
        {children && <Text size="sm" c="dimmed">{children}</Text>}
        {action}
      </Stack>
    </Center>
  );
}
