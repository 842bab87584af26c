import { Anchor, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useBrand } from '../api/branding.ts';
import { Short } from './short.tsx';

interface PageProps {
  title: string;
  /** A text below the title. */
  about?: ReactNode;
  /** The parent pages, shown as links above the title. */
  above?: readonly { title: string; to: string }[];
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen: the pages above it, its title, its actions, and its content. */
export function Page({ title, about, above = [], actions, children }: PageProps) {
  const { name } = useBrand();
  useEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        {above.length > 0 && (
          <Breadcrumbs fz="sm">
            {above.map(({ title: name, to }) => (
              <Anchor key={to} component={Link} to={to} fz="sm" underline="always">
                <Short width={200}>{name}</Short>
              </Anchor>
            ))}
          </Breadcrumbs>
        )}
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={4} style={{ flex: '1 1 280px', minWidth: 0 }}>
            <Title order={1} fz={26} style={{ overflowWrap: 'anywhere' }} lineClamp={2} dir="auto">{title}</Title>
            {about && (
              <Text c="dimmed" maw={720} component="div" dir="auto" style={{ overflowWrap: 'anywhere' }}>{about}</Text>
            )}
          </Stack>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      </Stack>
      {children}
    </Stack>
  );
}
