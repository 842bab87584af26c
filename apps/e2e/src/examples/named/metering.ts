import { fakeProvider } from '@platform/testing';
import type { World } from '../../orgs/world.ts';
import type { ExampleOrganization } from '../example-world.ts';

/** A platform that is ready for metering, for the subscriptions to name. */
export async function nameMetering(_world: World, { names, held }: ExampleOrganization): Promise<void> {
  const ready = held.use(await fakeProvider(() => ({ status: 200 }), { 500: {}, 429: {} }));
  names.openly('https://hosted.example.org', ready.url);
}
