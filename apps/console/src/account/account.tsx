import { Tabs } from '@mantine/core';
import { Page } from '../ui/page.tsx';
import { Profile } from './profile.tsx';
import { Sessions } from './sessions.tsx';
import { OwnTokens } from './own-tokens.tsx';

/** Profile, tokens and sessions of the signed-in user. */
export function Account() {
  return (
    <Page title="Account">
      <Tabs defaultValue="profile" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="profile">Profile</Tabs.Tab>
          <Tabs.Tab value="tokens">Tokens</Tabs.Tab>
          <Tabs.Tab value="sessions">Sessions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="profile"><Profile /></Tabs.Panel>
        <Tabs.Panel value="tokens"><OwnTokens /></Tabs.Panel>
        <Tabs.Panel value="sessions"><Sessions /></Tabs.Panel>
      </Tabs>
    </Page>
  );
}
