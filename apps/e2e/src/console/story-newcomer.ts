import { deepEqual, equal } from 'node:assert/strict';
import { specCall } from '../operator.ts';
import { codeIn } from '../orgs/browser.ts';
import type { ConsoleWorld } from './console-world.ts';

/** Story 1: a person signs in with the launcher's link, makes an organization, and invites a user to a team. */
export async function newcomerBegins({ operator, smtp, person, visit }: ConsoleWorld): Promise<void> {
  const { username } = await person('nina');
  const { code } = await operator.admin.createSignInLink({ user: username }, specCall());
  const nina = await visit(undefined);
  await nina.go(`/sign-in#link=${code}`);
  await nina.sees('Welcome, nina');
  await nina.submit('New organization', 'Create', ['Name', 'nova']);
  await nina.page.getByRole('heading', { level: 1, name: 'nova', exact: true }).waitFor();
  await nina.click('Members', 'link');
  await nina.click('Invite somebody');
  await nina.type('E-mail', 'ivan@example.org');
  await nina.choose('Team', 'Viewers');
  await nina.confirm('Invite');
  await nina.sees('The mail is on its way');

  const ivan = await visit(undefined);
  // The link is followed before the page knows that a name is needed.
  ivan.expectsRefusal(/^\/auth\/invitation\//, 422);
  await ivan.go(`/sign-in#invitation=${await codeIn(smtp, 'ivan@example.org', 'invitation')}`);
  await ivan.type('Login', 'ivan');
  await ivan.click('Accept the invitation');
  await ivan.sees('Welcome, ivan');
  await ivan.click(/nova/, 'link');
  const offered = ivan.page.getByRole('navigation', { name: 'nova' }).getByRole('link');
  await offered.nth(4).waitFor();
  deepEqual(await offered.allTextContents(), [
    'Overview', 'Teams', 'Members', 'Roles', 'Tokens', 'Clusters', 'Contracts', 'Licences',
  ]);
  await ivan.click('Teams', 'link');
  await ivan.page.getByRole('row').filter({ hasText: 'Viewers' }).waitFor();
  equal(await ivan.page.getByRole('button', { name: 'New team', exact: true }).count(), 0);

  await nina.page.reload();
  await nina.page.getByRole('row').filter({ hasText: 'ivan@example.org' }).waitFor();
  await nina.sees('Nobody is invited');
}
