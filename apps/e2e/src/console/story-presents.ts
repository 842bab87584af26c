import { equal } from 'node:assert/strict';
import type { ConsoleWorld } from './console-world.ts';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64',
);

/** Story 7: the site admin gives the platform a name and a colour, and sets who may sign up. */
export async function siteAdminPresents(world: ConsoleWorld): Promise<void> {
  const sam = await world.visit(world.siteAdmin);
  await sam.click('Presentation', 'link');
  await sam.type('Name', 'Northwind');
  await sam.type('Colour', '#2b8a3e');
  const logo = { name: 'a.png', mimeType: 'image/png', buffer: pixel };
  await sam.page.locator('input[type=file]').first().setInputFiles(logo);
  await sam.click('Save');
  await sam.sees('The branding is changed');
  await sam.page.getByRole('link', { name: 'Northwind: start' }).waitFor();
  equal(await sam.page.title(), 'Presentation · Northwind');

  await sam.submit('Allow a domain', 'Allow', ['Domain', 'example.org']);
  await sam.inRow('example.org', 'Remove');
  await sam.confirm('Remove');
  await sam.sees('Every domain is allowed');
  const registration = sam.page.getByLabel('People may sign up by themselves');
  const before = await registration.isChecked();
  await registration.click();
  await sam.sees('The registration is changed');
  await sam.page.reload();
  await registration.waitFor();
  equal(await registration.isChecked(), !before);

  const paul = await world.person('paul');
  const away = await world.visit(paul);
  await sam.click('Users', 'link');
  await sam.type('Search users', 'paul');
  await sam.inRow('paul', 'Change');
  await sam.page.getByLabel('May not sign in or use tokens').click();
  await sam.confirm('Save');
  await sam.page.getByRole('row').filter({ hasText: 'paul' }).getByText('May not sign in').waitFor();
  away.expectsRefusal(/./, 403);
  away.expectsRefusal(/./, 401);
  await away.page.reload();
  await away.sees(/prohibited/);

  const nobody = await world.visit(undefined);
  await nobody.sees('Sign in to Northwind');
}
