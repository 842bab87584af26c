import {
  Button, Card, ColorInput, FileInput, Grid, Group, Image, Paper, Stack, Switch, Text, TextInput, Title,
} from '@mantine/core';
import type { Branding } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { defaultName, pictureOf } from '../api/branding.ts';
import { csvOf, platform } from '../api/client.ts';
import { useAnyOrg } from '../api/acting.ts';
import { Confirm, done, useChange } from '../ui/act.tsx';
import { DataList } from '../ui/data-list.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useKept } from '../ui/kept.ts';
import { Page } from '../ui/page.tsx';
import { Read } from '../ui/read.tsx';
import { shadesOf } from '../ui/theme.ts';

/** How the platform presents itself, and who may sign up. */
export function Settings() {
  return (
    <Page
      title="Presentation"
      about="The name, the colour and the pictures of the platform. Who may sign up, and with which e-mail domains."
    >
      <Read what="The branding" queryKey={['branding']} load={() => platform.call('getBranding')}>
        {(branding) => <Brand branding={branding} />}
      </Read>
      <Registration />
      <Domains />
    </Page>
  );
}

function Brand({ branding }: { branding: Branding }) {
  const org = useAnyOrg();
  const [name, setName] = useKept('name', branding.appName, 'page');
  const [color, setColor] = useKept('color', branding.primaryColor || '#1864ab', 'page');
  const [logo, setLogo] = useState<string>();
  const [favicon, setFavicon] = useState<string>();
  const pick = useMutation({ mutationFn: readPicture });
  const save = useChange(
    () => platform.call('updateBranding', {
      parameters: { org: org! },
      body: { appName: name, primaryColor: color, ...(logo && { logo }), ...(favicon && { favicon }) },
    }),
    () => done('The branding is changed'),
  );
  const shown = pictureOf(logo ?? branding.logo);
  // The preview uses the same shade of the colour as the console.
  const worn = /^#[0-9a-f]{6}$/i.test(color) ? shadesOf(color)[7] : undefined;
  return (
    <Card withBorder>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <Title order={2} fz={18}>Branding</Title>
            <TextInput label="Name" value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} />
            <ColorInput
              label="Colour"
              format="hex"
              value={color}
              onChange={setColor}
              eyeDropperButtonProps={{ 'aria-label': 'Pick a colour' }}
            />
            <FileInput
              label="Logo"
              placeholder="PNG, JPEG or SVG"
              accept="image/*"
              clearable
              onChange={(file) => pick.mutate(file, { onSuccess: setLogo })}
            />
            <FileInput
              label="Icon of the browser tab"
              placeholder="A square PNG"
              accept="image/png"
              clearable
              onChange={(file) => pick.mutate(file, { onSuccess: setFavicon })}
            />
            {pick.error && <Failure error={pick.error} />}
            {save.error && <Failure error={save.error} />}
            <Group>
              <Button onClick={() => save.mutate(undefined)} loading={save.isPending} disabled={org === undefined}>
                Save
              </Button>
            </Group>
            {org === undefined && <Text size="sm" c="dimmed">First create an organization. This page needs it.</Text>}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Text size="sm" c="dimmed" mb="xs">Preview</Text>
          <Paper withBorder p="lg" radius="md">
            <Stack>
              <Group>
                {shown !== undefined && <Image src={shown} alt="" h={28} w="auto" />}
                <Text fw={700}>{name || defaultName}</Text>
              </Group>
              <Text size="sm">This is how a button and a switch look.</Text>
              <Group>
                <Button color={worn} autoContrast>Do it</Button>
                <Button variant="default">Look at it</Button>
              </Group>
              <Switch color={worn} defaultChecked label="A switch" />
            </Stack>
          </Paper>
        </Grid.Col>
      </Grid>
    </Card>
  );
}

function readPicture(file: File | null): Promise<string | undefined> {
  if (file === null) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error('the picture could not be read'));
    reader.readAsDataURL(file);
  });
}

function Registration() {
  const org = useAnyOrg();
  const change = useChange(
    (disableRegistration: boolean) =>
      platform.call('updateRegistration', { parameters: { org: org! }, body: { disableRegistration } }),
    () => done('The registration is changed'),
  );
  return (
    <Card withBorder>
      <Read what="The registration" queryKey={['registration']} load={() => platform.call('getRegistration')}>
        {({ disableRegistration }) => (
          <Stack>
            <Title order={2} fz={18}>Registration</Title>
            <Switch
              label="People may sign up by themselves"
              checked={!disableRegistration}
              disabled={org === undefined || change.isPending}
              onChange={({ currentTarget }) => change.mutate(!currentTarget.checked)}
            />
            {change.error && <Failure error={change.error} />}
          </Stack>
        )}
      </Read>
    </Card>
  );
}

function Domains() {
  const org = useAnyOrg();
  const [asked, ask] = useState<'add' | { domain: string }>();
  const add = <Button size="xs" disabled={org === undefined} onClick={() => ask('add')}>Allow a domain</Button>;
  return (
    <Stack gap="sm">
      <Title order={2} fz={18}>Domains</Title>
      <DataList<string>
        what="domains"
        queryKey={['domains']}
        csv={csvOf('listAllowedDomains', {})}
        keyOf={(name) => name}
        toolbar={add}
        columns={[{ title: 'Domain', value: (name) => name }]}
        load={(page) => platform.list('listAllowedDomains', { parameters: page })}
        actions={(domain) => [{ title: 'Remove', color: 'red', act: () => ask({ domain }) }]}
        empty={
          <Empty title="Every domain is allowed">
            Once a domain is listed, only addresses of listed domains may sign up.
          </Empty>
        }
      />
      {asked === 'add' && (
        <FormDialog
          title="Allow a domain"
          verb="Allow"
          onClose={() => ask(undefined)}
          said="The domain is allowed"
          fields={[{ name: 'name', label: 'Domain', required: true, placeholder: 'example.org' }]}
          act={({ name }) =>
            platform.call('addAllowedDomain', { parameters: { org: org! }, body: { name: String(name) } })}
        />
      )}
      {typeof asked === 'object' && (
        <Confirm
          title={`Remove ${asked.domain}`}
          verb="Remove"
          onClose={() => ask(undefined)}
          said="The domain is removed"
          act={() => platform.call('removeAllowedDomain', { parameters: { org: org! }, body: { name: asked.domain } })}
        >
          Accounts with addresses of this domain stay.
        </Confirm>
      )}
    </Stack>
  );
}
