import { type CSSVariablesResolver, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { pictureOf, useBranding } from '../api/branding.ts';
import { queries } from '../api/client.ts';
import { styleNonce } from '../api/page.ts';
import { Hints } from '../ui/hints.tsx';
import { themeOf } from '../ui/theme.ts';
import { StillWaiting } from '../ui/waiting.tsx';
import { router } from './router.tsx';

export function Root() {
  return <QueryClientProvider client={queries}><Branded /></QueryClientProvider>;
}

/** Text colours with enough contrast for WCAG AA. */
const readable: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#565e66',
    '--mantine-color-placeholder': '#697077',
    // Text on tinted backgrounds, such as badges and initials.
    ...Object.fromEntries(Object.keys(colors).map((name) => [
      `--mantine-color-${name}-light-color`, `color-mix(in srgb, var(--mantine-color-${name}-9) 60%, black)`,
    ])),
  },
  dark: { '--mantine-color-dimmed': '#a9afb6', '--mantine-color-placeholder': '#989ea5' },
});

/** The console with the colour and the icon of the deployment. */
function Branded() {
  const { data } = useBranding();
  const theme = useMemo(() => themeOf(data?.primaryColor), [data?.primaryColor]);
  useEffect(() => {
    const icon = pictureOf(data?.favicons['32x32']);
    if (icon !== undefined) document.querySelector<HTMLLinkElement>('link[rel="icon"]')!.href = icon;
  }, [data]);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
      cssVariablesResolver={readable}
    >
      <Notifications position="bottom-center" />
      <Hints />
      <StillWaiting />
      <RouterProvider router={router} />
    </MantineProvider>
  );
}
