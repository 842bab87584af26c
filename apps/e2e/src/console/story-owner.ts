import { equal } from 'node:assert/strict';
import { ok } from '../contracts/contract-world.ts';
import { outcome } from '../orgs/world.ts';
import type { ConsoleWorld } from './console-world.ts';
import { saveTooLate } from './visitor.ts';

/**
 * Story 2: the owner makes roles, teams and an endpoint of webhooks, sees what a member of a team sees, and leaves only
 * after another owner exists.
 */
export async function ownerGivesRoles(world: ConsoleWorld): Promise<void> {
  const bob = await world.person('bob');
  const olivia = await world.visit(world.owner);
  await olivia.click(/Acme Works/, 'link');
  await olivia.click('Teams', 'link');
  await olivia.submit('New team', 'Create', ['Name', 'Auditors']);
  await olivia.page.getByRole('heading', { level: 1, name: 'Auditors' }).waitFor();
  await olivia.click('Add somebody');
  await olivia.type('Person', 'bo');
  await olivia.click('bob', 'option');
  await olivia.confirm('Add');
  await olivia.sees('bob@example.org');
  await olivia.click('Edit');
  await olivia.type('Description', 'They read.');
  const auditors = `/api/v1/teams/${olivia.page.url().split('/').at(-1)}`;
  ok(await world.owner.http.send('PATCH', auditors, { json: { name: 'Auditors', description: 'They read all.' } }));
  await saveTooLate(olivia, /\/teams\/\d+$/);
  equal(ok<{ description: string }>(await world.owner.http.get(auditors)).description, 'They read all.');

  await olivia.click('Roles', 'link');
  await olivia.click('New role');
  await olivia.type('Name', 'Team makers');
  await olivia.choose('Given to', 'Auditors');
  await olivia.confirm('Create');
  const tick = olivia.page.getByLabel('Team makers: team_mgmt / create teams');
  await tick.click();
  await olivia.page.getByLabel('Team makers: team_mgmt / create teams', { exact: true }).and(
    olivia.page.locator(':enabled:checked')).waitFor();
  await olivia.page.reload();
  await tick.waitFor();
  equal(await tick.isChecked(), true);

  // The console keeps unsaved text by role, and does not show it for another role.
  await olivia.submit('New role', 'Create', ['Name', 'Readers']);
  const description = olivia.page.getByLabel('Description');
  await olivia.click('Edit Team makers');
  await description.fill('Half a thought');
  await olivia.page.reload();
  await olivia.click('Edit Readers');
  equal(await description.inputValue(), '');
  await olivia.page.reload();
  await olivia.click('Edit Team makers');
  equal(await description.inputValue(), 'Half a thought');
  const roles = ok<{ id: number; name: string }[]>(await world.owner.http.get('/api/v1/authz/roles?org=acme'));
  const makers = roles.find(({ name }) => name === 'Team makers')!;
  ok(await world.owner.http.put(`/api/v1/authz/roles/${makers.id}?org=acme`, { json: { description: 'A whole one' } }));
  await saveTooLate(olivia, /\/authz\/roles\/\d+$/);

  {
    const visitor = await world.visit(bob);
    const may = (verb: string) => visitor.page.getByRole('button', { name: verb, exact: true });
    await visitor.go('/orgs/acme/teams');
    await may('New team').waitFor();
    await visitor.go('/orgs/acme');
    equal(await may('Delete').count(), 0);
    // Permission to change roles does not include permission to make or delete them.
    const permissions = [
      { namespace: 'team_mgmt', action: 'create teams' },
      { namespace: 'role_mgmt', action: 'view roles' },
      { namespace: 'role_mgmt', action: 'edit roles' },
    ];
    ok(await world.owner.http.put(`/api/v1/authz/roles/${makers.id}?org=acme`, { json: { permissions } }));
    await visitor.go('/orgs/acme/roles');
    await may('Edit Readers').waitFor();
    equal(await may('Delete Readers').count() + await may('New role').count(), 0);
    // Permission to make teams does not include permission to add people to them.
    await visitor.go('/orgs/acme/members');
    await visitor.page.getByRole('link', { name: 'Teams', exact: true }).waitFor();
    equal(await may('Invite somebody').count(), 0);
    const json = { name: 'Heads', type: 'kubernetes', permission: 'admin' };
    const { id } = ok<{ id: number }>(await world.owner.http.post('/api/v1/orgs/acme/teams', { json }), 201);
    await world.join(world.owner, id, bob);
    await visitor.page.reload();
    await may('Invite somebody').waitFor();
  }

  await olivia.click('Webhooks', 'link');
  await olivia.click('New endpoint');
  const endpoint = 'https://hooks.example.org/acme';
  await olivia.type('Address', endpoint);
  await olivia.choose('Events', 'team.created', 'contract.ending');
  await olivia.confirm('Create');
  await olivia.sees(/^whsec_/);
  await olivia.confirm('I have kept it');
  await olivia.inRow(endpoint, 'New secret');
  await olivia.confirm('Make it');
  await olivia.sees(/^whsec_/);
  await olivia.confirm('I have kept it');

  await olivia.click('Overview', 'link');
  await olivia.click('Edit');
  await olivia.type('Full name', 'Acme Works Limited');
  ok(await world.owner.http.send('PATCH', '/api/v1/orgs/acme', { json: { location: 'Paris' } }));
  await saveTooLate(olivia, /\/orgs\/acme$/);
  await olivia.page.getByRole('definition').filter({ hasText: 'Paris' }).waitFor();
  await olivia.submit('Edit', 'Save', ['Full name', 'Acme Works Limited']);
  await olivia.page.getByRole('heading', { level: 1, name: 'Acme Works Limited' }).waitFor();
  // The last owner cannot leave: the refusal says so in the dialog.
  olivia.expectsRefusal(/action\/leave$/, 403);
  await olivia.click('Leave');
  await olivia.page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await olivia.sees('last_owner');
}

/** A person's own profile, tokens and sessions. */
export async function personLooksAtOwnThings(world: ConsoleWorld): Promise<void> {
  const carol = await world.person('carol');
  const visitor = await world.visit(carol);
  const elsewhere = await world.visit(carol);
  await visitor.go('/account');
  await visitor.submit('Edit', 'Save', ['Full name', 'Carol Example']);
  await visitor.page.getByRole('definition').filter({ hasText: 'Carol Example' }).waitFor();

  await visitor.click('Tokens', 'tab');
  await visitor.click('New token');
  await visitor.type('Name', 'laptop');
  await visitor.choose('May', 'read:user');
  await visitor.confirm('Create');
  const secret = await visitor.page.getByRole('dialog').getByText(/^[0-9a-f]{40}$/).textContent();
  equal((await world.as(secret!).get('/api/v1/user')).status, 200);
  equal(outcome(await world.as(secret!).get('/api/v1/orgs/acme')), '403 missing_scope');
  await visitor.confirm('I have kept it');
  await visitor.inRow('laptop', 'Delete');
  await visitor.confirm('Delete');
  equal((await world.as(secret!).get('/api/v1/user')).status, 401);

  await visitor.click('Sessions', 'tab');
  await visitor.sees('This one');
  const other = visitor.page.getByRole('row').filter({ hasText: 'Chrom' }).filter({ hasNotText: 'This one' });
  await other.getByRole('button', { name: 'Actions' }).click();
  await visitor.click('End it', 'menuitem');
  await visitor.confirm('End it');
  elsewhere.expectsRefusal(/./, 401);
  await elsewhere.click('Account', 'link');
  await elsewhere.sees('Your session has ended');

  // A person who has no account signs in as carol, after carol has bound the provider.
  const { page } = visitor;
  visitor.expectsHost(world.provider.issuer);
  await visitor.click('Profile', 'tab');
  await visitor.click('Sign in with the lab from now on');
  await visitor.click('Blaise Pascal');
  await page.getByRole('heading', { level: 1, name: 'Account', exact: true }).waitFor();
  // The browser still has a cookie, so the page asks who is signed in; and the provider knows Blaise.
  visitor.expectsRefusal(/\/auth\/session$/, 401);
  await visitor.click('Account of carol');
  await visitor.click('Sign out', 'menuitem');
  await page.getByLabel('Access token').waitFor();
  const link = '/account/contracts?from=mail';
  await visitor.go(link);
  await visitor.click('Sign in with the lab', 'link');
  await page.getByRole('button', { name: 'Account of carol', exact: true }).waitFor();
  equal(page.url(), world.platform.baseUrl + link);
}
