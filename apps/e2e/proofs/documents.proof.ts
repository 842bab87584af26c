import { type HttpAnswer, type ProofOptions, type ProofResult, seeded, type SeededRandom } from '@platform/testing';
import { inContainers } from '../src/load/container.ts';
import { beginPeak, peakMemory } from '../src/load/resident-memory.ts';
import { type ContractWorld, ok, type ShownContract, startContractWorld } from '../src/contracts/contract-world.ts';
import { honestParts, hostileNames, refusedForms } from '../src/contracts/hostile-forms.ts';
import { formBody } from '../src/orgs/form-body.ts';
import { tried } from '../src/tried.ts';

export const name = 'documents';
export const describe = '200 hostile forms, four at a time, are refused with 4xx, as many hostile file names do no harm, '
  + 'and gateway and contracts-licensing, each as in a container of 512 MiB, grow by less than 64 MiB; a document of '
  + '10 MiB goes up and down ten times within 32 MiB; 1,000 altered links are refused with 403.';
export const servers = true;

const [wholeForms, wholeLinks, transfers, atOnce] = [200, 1_000, 10, 4];
const [mostGrowth, mostForDocument] = [64, 32];
const size = 10 * 1024 * 1024;
const path = '/api/v1/contracts';

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  await using world = await startContractWorld({ surroundings: inContainers });
  await world.organization(await world.person(), { username: 'acme' });
  const counterexamples: string[] = [];
  const { services } = world.platform;
  const pids = [services.gateway, services['contracts-licensing']].map(({ replicas: [{ pid }] }) => pid);
  const growth = async (most: number, act: () => Promise<void>): Promise<string> => {
    const before = pids.map(beginPeak);
    await act();
    const grown = pids.map(peakMemory).map((mebibytes, index) => Math.round(mebibytes - before[index]!));
    if (grown.some((mebibytes) => mebibytes >= most)) counterexamples.push(`grown by ${grown.join(' and ')} MiB`);
    return grown.join(' and ');
  };
  // Memory that each process allocates for its first documents is not growth.
  const large = Buffer.alloc(size, 'the document ');
  for (let warm = 0; warm < 4; warm += 1) await upAndDown(world, large);

  const forDocument = await growth(mostForDocument, async () => {
    for (let round = 0; round < Math.max(2, Math.ceil(transfers * share)); round += 1) {
      if (!(await upAndDown(world, large)).equals(large)) counterexamples.push('a document came back changed');
    }
  });
  report(`a document of 10 MiB: gateway and contracts-licensing grew by ${forDocument} MiB`);

  const forms = Math.max(refusedForms.length, Math.ceil(wholeForms * share));
  const names = Math.max(hostileNames.length, Math.ceil(wholeForms * share));
  const refused = await numberOfContracts(world);
  let taken = 0;
  const forForms = await growth(mostGrowth, async () => {
    await eachOf(forms, async (number) => {
      const [what, make] = refusedForms[number % refusedForms.length]!;
      const { status } = await send(world, make(seeded(`${seed} ${number}`)));
      if (!isRefusal(status)) counterexamples.push(`form ${number} ${what}: ${status}`);
      if (number % 50 === 49) report(`${number + 1} forms refused`);
    });
    if (await numberOfContracts(world) !== refused) counterexamples.push('a refused form made a contract');
    await eachOf(names, async (number) => {
      const [what, make] = hostileNames[number % hostileNames.length]!;
      const answer = await send(world, make(seeded(`${seed} ${number}`)));
      if (answer.status === 201) taken += 1;
      const harm = isRefusal(answer.status) ? undefined : await harmOf(world, answer);
      if (harm !== undefined) counterexamples.push(`name ${number}, ${what}: ${harm}`);
    });
  });
  report(`${forms} forms and ${names} names: gateway and contracts-licensing grew by ${forForms} MiB`);

  const links = Math.ceil(wholeLinks * share);
  const { pathname, search } = await linkOf(world, await created(world, 'x'));
  const random = seeded(`${seed} links`);
  for (let number = 0; number < links; number += 1) {
    const link = altered(pathname + search, random);
    const { status } = await tried(() => world.nobody.get(link));
    if (status !== 403) counterexamples.push(`the link ${link}: ${status}`);
  }
  return {
    figure: `${forms} hostile forms refused, ${names} hostile names without harm (${taken} taken under generated names), gateway and `
      + `contracts-licensing grew by ${forForms} MiB; 10 MiB up and down: by ${forDocument} MiB; ${links} altered links refused`,
    holds: counterexamples.length === 0,
    counterexamples,
  };
}

const isRefusal = (status: number): boolean => status >= 400 && status < 500;

/** Calls `act` for each number below `count`, several at a time. */
async function eachOf(count: number, act: (number: number) => Promise<void>): Promise<void> {
  let begun = 0;
  await Promise.all(Array.from({ length: atOnce }, async () => {
    while (begun < count) await act(begun++);
  }));
}

function send({ siteAdmin }: ContractWorld, form: { body: Buffer; headers: Readonly<Record<string, string>> }) {
  return tried(() => siteAdmin.http.post(path, { ...form, within: 30_000 }));
}

async function created(world: ContractWorld, content: string | Buffer): Promise<ShownContract> {
  const form = formBody([...honestParts(), { name: 'document', filename: 'a.pdf', content }]);
  return ok<ShownContract[]>(await send(world, form), 201)[0]!;
}

async function linkOf({ siteAdmin }: ContractWorld, { id }: ShownContract): Promise<URL> {
  return new URL(ok<string>(await tried(() => siteAdmin.http.get(`${path}/${id}/document`))));
}

/** Creates a contract with a document; returns the document after downloading it. */
async function upAndDown(world: ContractWorld, content: Buffer): Promise<Buffer> {
  const { pathname, search } = await linkOf(world, await created(world, content));
  return (await tried(() => world.nobody.get(pathname + search, { within: 30_000 }))).body;
}

async function numberOfContracts({ siteAdmin }: ContractWorld): Promise<string | undefined> {
  return (await tried(() => siteAdmin.http.get(`${path}?org=acme&limit=1`))).header('x-total-count');
}

/** Checks a created contract, whose document must have a generated name. Returns the fault, or undefined. */
async function harmOf(world: ContractWorld, answer: HttpAnswer): Promise<string | undefined> {
  const [contract] = ok<ShownContract[]>(answer, 201);
  const { id, documentPath } = contract as ShownContract & { documentPath: string };
  if (documentPath === '') return undefined;
  const generated = new RegExp(`^contracts/${id}/[0-9a-f-]{36}([.][a-z0-9]{1,16})?$`);
  if (!generated.test(documentPath)) return documentPath;
  const { pathname, search } = await linkOf(world, contract!);
  const file = await tried(() => world.nobody.get(pathname + search));
  const disposition = file.header('content-disposition');
  return file.status === 200 && disposition === `attachment; filename="${documentPath.split('/')[2]}"` ? undefined : `${file.status} ${disposition}`;
}

/** A link with one character changed, left out or added behind `/files/`. */
function altered(link: string, random: SeededRandom): string {
  const start = '/files/'.length;
  const at = random.integer(start, link.length - 1);
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~';
  const letter = random.pick([...letters].filter((one) => one !== link[at]));
  const rest = random.pick([letter + link.slice(at + 1), link.slice(at + 1), letter + link.slice(at)]);
  const changed = link.slice(0, at) + rest;
  return changed === link ? altered(link, random) : changed;
}
