import { equal } from 'node:assert/strict';
import { openApi } from '@platform/lab';
import { testLab, until } from '@platform/testing';
import type { ConsoleWorld } from './console-world.ts';

/** Time that the lab's controllers need to delete the objects of a client on a cluster. */
const deletion = { timeout: 60_000 };

/** Story 5: a site admin makes a client organization with the wizard; deletes it while a cluster holds an object. */
export async function siteAdminMakesClients(world: ConsoleWorld): Promise<void> {
  const lab = await testLab();
  const [one, two] = lab.spokes as [(typeof lab.spokes)[0], (typeof lab.spokes)[0]];
  const client = `${world.hubPrefix}-client`;
  const sam = await world.visit(world.siteAdmin);
  const shows = (text: string) => sam.page.getByRole('dialog').getByText(text, { exact: true });
  await sam.go('/site/clients');
  await sam.click('New client');
  await sam.click('Next');
  await sam.sees('Name is needed');
  await sam.type('Name', client);
  await sam.click('Next');
  await sam.type('Owner of the hub', 'acme');
  await sam.type('UUID of the hub', lab.hub.uid);
  await sam.tag('Clusters', one.name, two.name);
  await sam.click('Next');
  await sam.confirm('Create', ['User name', `${client}-boss`], ['E-mail', 'boss@example.org']);
  await shows('Organization: Active').waitFor();
  for (const { name } of [one, two]) await shows(`${name}: Active`).waitFor();
  await sam.page.keyboard.press('Escape');

  using spoke = await openApi(two.kubeconfig);
  const held = `/api/v1/namespaces/${client}/configmaps`;
  await until(() => spoke.create(held, { metadata: { name: 'held', finalizers: ['example.org/held'] } })
    .then(() => true, () => false), { within: 30_000, what: 'the client has a namespace' });
  await sam.inRow(client, 'Delete');
  await sam.confirm('Delete', [/^Type/, client]);
  await shows('Organization: Partially Deleted').waitFor(deletion);
  await shows(`${two.name}: Deleting`).waitFor();
  equal(await shows(`${one.name}: Active`).count() + await shows(`${one.name}: Deleting`).count(), 0);

  // The console reads the status before the clusters. Here the organization is deleted between these two readings.
  const clusters = /^\/api\/v1\/clusters$/;
  const goOn = await sam.holdBack('GET', clusters);
  await sam.page.waitForRequest((request) => clusters.test(new URL(request.url()).pathname));
  await spoke.call('PATCH', `${held}/held`, { metadata: { finalizers: null } }, 'application/merge-patch+json');
  await until(async () => {
    const answer = await world.siteAdmin.http.get(`/api/v1/user/client/${client}/status`);
    return answer.json<{ status: string }>().status === 'Deleted';
  }, { within: deletion.timeout, what: 'the client is deleted' });
  sam.expectsRefusal(clusters, 404);
  goOn();
  const failure = sam.page.getByText('The progress could not be read');
  await shows('Organization: Deleted').or(failure).first().waitFor();
  equal(await failure.count(), 0);
}
