import { readFileSync } from 'node:fs';
import { type ProofOptions, type ProofResult, until } from '@platform/testing';
import { beginPeak, peakMemory } from '../load/resident-memory.ts';
import { ok } from '../contracts/contract-world.ts';
import { startUsageWorld, usageHosts, type UsageWorld } from './usage-world.ts';

export const name = 'usage-document';
export const describe = 'The document of a month with 1,000 objects takes less than 10 s of CPU; billing-dashboard '
  + 'stays below 512 MiB while it makes one of 500 pages and takes events in.';
export const servers = true;

const [wholeSmall, wholeLarge, wholePages] = [1_000, 10_000, 500];
const [mostCpuSeconds, mostMebibytes] = [10, 512];
/** Events of one request. */
const atOnce = 500;
/** Events in transit while a document is made. */
const senders = 8;
const january = '/api/v1/dashboard/summary/2026/01';

export async function prove({ share, report }: ProofOptions): Promise<ProofResult> {
  const ownProcess = { of: ['billing-dashboard'], because: 'measured' } as const;
  await using world = await startUsageWorld({ hosts: usageHosts, ownProcess });
  return await measureDocuments(world, { share, report });
}

/** Runs the proof in an existing world. */
export async function measureDocuments(world: UsageWorld, { share, report }: Pick<ProofOptions, 'share' | 'report'>) {
  const organization = await world.organization(await world.person());
  const member = await world.member(organization, 'productdb-enterprise');
  const [{ pid }] = world.platform.services['billing-dashboard'].replicas;
  const [small, large] = [wholeSmall, wholeLarge].map((whole) => Math.ceil(whole * share)) as [number, number];
  let entered = 0;
  const enterUpTo = async (count: number) => {
    for (; entered < count; entered += atOnce) {
      await world.enter(member, Array.from({ length: Math.min(atOnce, count - entered) }, (_, place) => ({
        uid: `object-${entered + place}`, time: '2026-01-05T00:00:00Z', repeatedUntil: '2026-01-06T00:00:00Z',
        cpu: `${100 + entered + place}m`, mode: 'prod', spec: { name: `database-${entered + place}-of-a-team` },
      })));
    }
    entered = count;
    await until(async () => {
      const view = `${january}/usage-report/products/productdb/views/gks-usage-view?org=${organization.username}`;
      const answer = await world.siteAdmin.http.get(view);
      return answer.status === 200 && answer.json<{ rows: { objects: number }[] }>().rows[0]?.objects === count;
    }, { within: 300_000, what: `${count} objects are counted` });
    report(`${count} objects are counted`);
  };
  const download = async () => {
    const path = `${january}/download?org=${organization.username}`;
    const answer = await world.siteAdmin.http.get(path, { within: 300_000 });
    if (answer.status !== 200) ok(answer);
    return Number(/\/Type \/Pages\n\/Count (\d+)/.exec(answer.body.toString('latin1'))?.[1]);
  };
  await enterUpTo(small);
  const before = cpuSeconds(pid);
  const smallPages = await download();
  const cpu = cpuSeconds(pid) - before;
  report(`${small} objects: ${smallPages} pages, ${cpu.toFixed(1)} s of CPU`);
  await enterUpTo(large);
  beginPeak(pid);
  let isDone = false;
  let sent = 0;
  const sending = Array.from({ length: senders }, async () => {
    while (!isDone) await member.send({ uid: `live-${sent += 1}`, time: new Date().toISOString() });
  });
  const largePages = await download();
  isDone = true;
  await Promise.all(sending);
  const mebibytes = peakMemory(pid);
  const pages = Math.floor(wholePages * share);
  return {
    figure: `${small} objects: ${smallPages} pages, ${cpu.toFixed(1)} s of CPU; ${large} objects: ${largePages} pages, `
      + `at most ${Math.round(mebibytes)} MiB beside ${sent} events`,
    holds: cpu < mostCpuSeconds && largePages >= pages && mebibytes <= mostMebibytes, counterexamples: [],
  };
}

/** CPU that a process has used, in seconds: the kernel counts in hundredths. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
