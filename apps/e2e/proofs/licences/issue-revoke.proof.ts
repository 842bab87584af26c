import { X509Certificate } from 'node:crypto';
import { sql } from '@platform/postgres';
import { type ProofOptions, type ProofResult, seeded, until } from '@platform/testing';
import { startLicenceWorld } from './licence-world.ts';

export const name = 'issue-revoke';
export const describe =
  'A contract is revoked while two replicas issue licences under it: none is issued after the revocation was answered, '
  + '1,000 times.';
export const servers = true;

const wholeRounds = 1_000;

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const random = seeded(seed);
  const rounds = Math.max(1, Math.round(wholeRounds * share));
  const { world, repeated, repeats, issue, contractWith } = await startLicenceWorld();
  await using _world = world;
  const counterexamples: string[] = [];
  let licences = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { id, clusters: [cluster] } = await contractWith(1);
    let revoked = false;
    let answered = 0;
    const asking = Array.from({ length: 4 }, async () => {
      const outcomes: { begunAfter: boolean; status: number; id: string | undefined }[] = [];
      for (let after = 0; after < 2;) {
        const begunAfter = revoked;
        const { status, license } = await issue(cluster!);
        const serial = license && new X509Certificate(Buffer.from(license, 'base64')).serialNumber;
        outcomes.push({ begunAfter, status, id: serial && BigInt(`0x${serial}`).toString() });
        answered += 1;
        if (begunAfter) after += 1;
      }
      return outcomes;
    });
    const before = random.integer(0, 8);
    await until(() => answered >= before, { what: 'some licences are issued' });
    const answer = await repeated(() => world.siteAdmin.http.post(`/api/v1/contracts/${id}/revoke`));
    revoked = true;
    const outcomes = (await Promise.all(asking)).flat();
    licences += outcomes.filter(({ status }) => status === 200).length;
    const late = outcomes.filter(({ begunAfter, status }) => begunAfter && status !== 405);
    // The order of commits shows that every licence was recorded before the contract was revoked.
    const { later } = await world.rows.one(sql<{ later: number }>`
      select count(*) as "later" from contract_event issued
       where contract_id = ${id} and event like 'license.issued %'
         and id > (select id from contract_event where contract_id = ${id} and event = 'contract.revoked')`);
    if (answer.status !== 200 || late.length > 0 || later > 0) {
      counterexamples.push(`round ${round}: revoke ${answer.status}, ${JSON.stringify(late)}, ${later} recorded later`);
    }
    if (round % 50 === 49) report(`${round + 1} of ${rounds} rounds, ${counterexamples.length} wrong`);
  }
  return {
    figure: `${rounds} revocations, ${licences} licences before them, ${repeats()} calls repeated, `
      + `${counterexamples.length} rounds with one after`,
    holds: counterexamples.length === 0,
    counterexamples,
  };
}
