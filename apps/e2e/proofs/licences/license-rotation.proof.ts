import { LicenseAuthorityServiceService } from '@platform/proto/contracts/v1/license_authority';
import { type ProofOptions, type ProofResult, rpcClient } from '@platform/testing';
import { specCall } from '../../src/operator.ts';
import { startLicenceWorld } from './licence-world.ts';

export const name = 'license-rotation';
export const describe =
  '20 clients issue and register licences on two replicas, while authorities are added, used and removed 50 times: no '
  + 'valid licence fails.';
export const servers = true;

const wholeRotations = 50;
const clients = 20;

export async function prove({ share, report }: ProofOptions): Promise<ProofResult> {
  const rotations = Math.max(1, Math.round(wholeRotations * share));
  const { world, repeated, repeats, issue, contractWith } = await startLicenceWorld();
  await using _world = world;
  const { grpc, serviceCredential } = world.platform;
  await using authorities = await rpcClient(
    LicenseAuthorityServiceService, grpc['contracts-licensing'].split(','), { serviceCredential },
  );
  const { clusters } = await contractWith(clients);
  const counterexamples: string[] = [];
  let registered = 0;
  /** Clients with a licence that is not registered yet: their authority must stay trusted until they are done. */
  const pending = new Map<Promise<void>, true>();
  let rotating = true;

  const client = async (cluster: string): Promise<void> => {
    while (rotating) {
      const step = once(cluster);
      pending.set(step, true);
      await step;
      pending.delete(step);
    }
  };
  const once = async (cluster: string): Promise<void> => {
    const { status, license } = await issue(cluster);
    if (status !== 200) return void counterexamples.push(`issue: ${status}`);
    const answer = await repeated(() => world.nobody.post('/api/v1/register', {
      json: { clusterUID: cluster, features: 'platform', license },
    }));
    if (answer.status === 200) registered += 1;
    else counterexamples.push(`register: ${answer.status} ${answer.text}`);
  };

  const running = clusters.map(client);
  for (let rotation = 0; rotation < rotations; rotation += 1) {
    const [old] = (await authorities.listAuthorities({}, specCall())).authorities.filter(({ signs }) => signs);
    const { fingerprint } = await authorities.addAuthority({}, specCall());
    await authorities.useAuthority({ fingerprint }, specCall());
    // Operators must wait until licences of the old authority are registered, so wait here too.
    await Promise.all([...pending.keys()]);
    await authorities.removeAuthority({ fingerprint: old!.fingerprint }, specCall());
    if (rotation % 10 === 9) report(`${rotation + 1} of ${rotations} rotations, ${counterexamples.length} failures`);
  }
  rotating = false;
  await Promise.all(running);
  return {
    figure: `${rotations} rotations, ${registered} licences issued and registered, ${repeats()} calls repeated, `
      + `${counterexamples.length} failures`,
    holds: counterexamples.length === 0 && registered >= rotations,
    counterexamples: counterexamples.slice(0, 20),
  };
}
