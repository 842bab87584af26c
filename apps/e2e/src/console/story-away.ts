import { expect } from '@jest/globals';
import type { ConsoleWorld } from './console-world.ts';

/** The page names missing data and reads it again without help; it does not repeat a change. */
export async function partsAreAway(world: ConsoleWorld): Promise<void> {
  const olivia = await world.visit(world.owner);
  const permissions = await olivia.cutOff(/\/allowed-permissions$/);
  await olivia.go('/orgs/acme/teams');
  await olivia.sees('The list of your rights cannot be reached now');
  await permissions();
  await olivia.page.getByRole('button', { name: 'New team', exact: true }).waitFor();

  const organizations = await olivia.cutOff(/\/user\/orgs$/);
  await olivia.go('/');
  await olivia.sees('Your organizations cannot be reached now');
  await organizations();
  await olivia.page.getByRole('link', { name: /Acme Works/ }).waitFor();

  const people = await olivia.cutOff(/\/users\/search$/);
  await olivia.go(`/orgs/acme/teams/${world.acme.teams.Viewers}`);
  await olivia.click('Add somebody');
  await olivia.type('Person', 'bo');
  await olivia.sees(/^People could not be searched/);
  await people();

  const teams = await olivia.cutOff(/\/orgs\/acme\/teams$/);
  await olivia.go('/orgs/acme/explain');
  await olivia.sees('The choice of Team cannot be reached now');
  await olivia.sees(/ The console retries every few seconds\.$/);
  await teams();

  const signOut = await olivia.cutOff(/\/auth\/sign-out$/);
  await olivia.click(/^Account of/);
  await olivia.click('Sign out', 'menuitem');
  const dialog = olivia.page.getByRole('dialog', { name: 'You are still signed in' });
  await dialog.getByText('cannot be reached now').waitFor();
  expect(await dialog.textContent()).not.toContain('tried again');
  await signOut();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await olivia.page.getByLabel('Access token').waitFor();
}
