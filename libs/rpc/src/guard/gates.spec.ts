import { beforeAll, expect, it } from '@jest/globals';
import { Fault } from '@platform/faults';
import { readImage } from '@platform/proto/image';
import { deadlineIn } from '@platform/service';
import { type Deployment, readSurface, type Surface } from '@platform/surface';
import { deployment, serviceCredential } from '../fixtures/guarded-world.ts';
import { createGuard } from './guard.ts';

let surface: Surface;
beforeAll(async () => {
  surface = readSurface(await readImage());
});

/** The reason for refusing a caller without credentials: from the gate, or from a later step. */
async function refusal(name: string, given: Partial<Deployment>): Promise<string> {
  const asked = () => Promise.reject(new Fault('INTERNAL', 'nothing needs to be asked'));
  const sources = { standing: asked, ask: asked, settle: asked, reportLostStore: asked, objects: {} };
  const guard = createGuard(sources, {
    deployment: { ...deployment, ...given }, serviceCredentials: [serviceCredential],
  });
  const method = surface.methods.find((candidate) => candidate.name === name)!;
  const call = {
    deadline: deadlineIn(5_000), requestId: 'spec', token: undefined, serviceCredential: undefined, certificate: undefined,
    parameterFault: undefined, bodyFault: undefined, countsAs: 1,
  };
  return guard.admit(method, {}, call).then(() => 'OK', (error: Fault) => error.reason);
}

it.each<[string, Partial<Deployment>, string]>([
  ['ClaimOrganization', { type: 'Hosted' }, 'UNAUTHENTICATED'],
  ['ClaimOrganization', { type: 'SelfHostedProduction' }, 'NOT_FOUND'],
  ['ClaimOrganization', { type: 'ProviderAMarketplace', runMode: 'dev' }, 'NOT_FOUND'],
  ['GetOldestClaim', { type: 'ProviderBMarketplace' }, 'UNAUTHENTICATED'],
  ['GetOldestClaim', { type: 'SelfHostedProduction', runMode: 'dev' }, 'UNAUTHENTICATED'],
  ['GetOldestClaim', { type: 'Hosted' }, 'NOT_FOUND'],
])('%s in %j is answered %s to direct callers too', async (name, given, reason) => {
  expect(await refusal(name, given)).toBe(reason);
});
