import {
  ActionIcon, AppShell, Avatar, Burger, Group, Image, Menu, Modal, ScrollArea, Text, UnstyledButton,
  useComputedColorScheme, useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMoon, IconSun, IconUser } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useDeferredValue, useState } from 'react';
import icon from '../icon.svg';
import { useBrand } from '../api/branding.ts';
import { isAway } from '../api/client.ts';
import { docs } from '../api/page.ts';
import { signOut, type SignedIn, useMyOrganizations, useSession } from '../api/session.ts';
import { FollowLink } from '../sign-in/follow-link.tsx';
import { Refused, SignIn } from '../sign-in/sign-in.tsx';
import { linkOf } from '../sign-in/ways.ts';
import { Failure } from '../ui/failure.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { useActing } from '../api/acting.ts';
import { Navigation } from './navigation.tsx';
import { OrganizationSwitcher } from './organization-switcher.tsx';

/**
 * The frame of the screens. It shows the sign-in if nobody has signed in. If the session ends, the sign-in covers the
 * page.
 */
export function Shell({ children }: { children: ReactNode }) {
  const { data: session, error, isPending, refetch } = useSession();
  const [link, setLink] = useState(() => linkOf(location.hash));
  const [before, setBefore] = useState<SignedIn>();
  if (session && session !== before) setBefore(session);
  if (link !== undefined) return <FollowLink link={link} onEnd={() => setLink(undefined)} />;
  if (isPending) return <Waiting what="your session" />;
  if (error && session === undefined)
    return <Outside><Failure error={error} what="Your session" retry={refetch} /></Outside>;
  if (!session && !before) return <Outside><SignIn /></Outside>;
  return (
    <>
      <Inside session={session ?? before!}>{children}</Inside>
      <Modal
        opened={!session}
        onClose={() => undefined}
        // The sign-in must be above the form that the person was editing.
        zIndex={300}
        withCloseButton={false}
        centered
        title="Your session has ended"
      >
        <SignIn over />
      </Modal>
    </>
  );
}

function Outside({ children }: { children: ReactNode }) {
  return <main className="outside">{children}</main>;
}

function Inside({ session, children }: { session: SignedIn; children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const { error } = useActing();
  const mine = useMyOrganizations();
  // Draw the frame first, then the screen.
  const screen = useDeferredValue(children, null);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', md: 'xl' }}
    >
      <a href="#main" className="skip">Go to the content</a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" aria-expanded={isOpen}
            />
            <Mark />
            <OrganizationSwitcher />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Scheme />
            <Person session={session} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <AppShell.Section grow component={ScrollArea}><Navigation onGo={close} /></AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <div className="content">
          <Refused
            title="The provider was not bound to your account"
            otherwise={'The provider did not sign you in, your account is already bound to another user of the '
              + 'provider, or the user that you chose at the provider is bound to another account.'}
          />
          {error && <Failure error={error} what="The list of your rights" />}
          {mine.error && !mine.data && <Failure error={mine.error} what="Your organizations" retry={mine.refetch} />}
          {screen}
        </div>
      </AppShell.Main>
    </AppShell>
  );
}

/** Logo and name of the deployment. */
export function Mark() {
  const { name, logo = icon } = useBrand();
  return (
    <UnstyledButton component={Link} to="/" aria-label={`${name}: start`}>
      <Group gap={8} wrap="nowrap">
        <Image src={logo} alt="" h={28} w="auto" maw={120} fit="contain" />
        <Text fw={700} visibleFrom="md" maw={180} truncate>{name}</Text>
      </Group>
    </UnstyledButton>
  );
}

function Scheme() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <ActionIcon variant="default" size="lg" aria-label={`Use the ${other} theme`} onClick={() => setColorScheme(other)}>
      {scheme === 'dark' ? <IconSun size={18} /> : <IconMoon size={18} />}
    </ActionIcon>
  );
}

function Person({ session: { user } }: { session: SignedIn }) {
  // Do not use `useChange`, which would read all data again. After signing out, there is no data to read.
  const { mutateAsync } = useMutation({ mutationFn: signOut });
  const [failure, setFailure] = useState<Error>();
  const leave = () => mutateAsync(undefined, { onError: setFailure }).catch(() => undefined);
  return (
    <>
      {failure && (
        <Modal
          opened
          onClose={() => setFailure(undefined)}
          title="You are still signed in"
          centered
          closeButtonProps={{ 'aria-label': 'Close' }}
        >
          <Failure error={failure} {...(isAway(failure) && { retry: leave })} />
        </Modal>
      )}
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <UnstyledButton aria-label={`Account of ${user.login}`}>
            <Avatar color="brand" size={34}><IconUser size={20} /></Avatar>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Text truncate size="sm" dir="auto">{user.full_name || user.login}</Text>
            <Text truncate size="xs">{user.email}</Text>
          </Menu.Label>
          <Menu.Item component={Link} to="/account">Account</Menu.Item>
          {docs !== '' && <Menu.Item component="a" href={docs}>Documents</Menu.Item>}
          <Menu.Divider />
          <Menu.Item onClick={() => void leave()}>Sign out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
