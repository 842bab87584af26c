import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Api, type LabCluster, missingForNode, openApi, startLab } from '@platform/lab';
import type { HttpClient, ProofOptions, ProofResult } from '@platform/testing';
import { startLoad } from '../faults/load.ts';
import { documentedHttp } from '../src/documented.ts';
import { readTutorials, type Step } from '../src/tutorials/read-tutorial.ts';
import { lackingIn } from '../src/tutorials/run-tutorial.ts';
import { prepareCustomers } from './customers.ts';
import { missingForImages, missingPrograms, openDaemon } from './docker.ts';
import { step } from './load-step.ts';
import { openRegistry, type Registry } from './registry.ts';
import { releaseIn } from './release.ts';
import { type MadeRelease, makeReleases, type Releases } from './releases.ts';
import { openStranger, type Stranger } from './stranger.ts';

export const name = 'release';
export const describe = 'A commit makes the same release twice, byte for byte. With its files, a registry and a real node, the '
  + 'commands of docs/tutorials/release.md install it, count use under a licence, upgrade to the next release and go back; requests '
  + 'meanwhile are neither lost nor refused.';

const page = 'release';
/** Sections of the page during which clients send requests. */
const underLoad = ['Upgrade', 'Go back'];
const perSecond = 50;
const clients = 100;
/** Limit for a block of commands, ample even on a busy machine. */
const blockMs = 20 * 60_000;

/** The resources that all steps of the proof use. */
interface World {
  readonly releases: Releases;
  readonly registry: Registry;
  readonly stranger: Stranger;
  readonly api: Api;
  /** Address of the node. */
  readonly address: string;
  readonly report: (line: string) => void;
  readonly wrong: string[];
}

export async function prove({ share, report }: ProofOptions): Promise<ProofResult> {
  const missing = [
    ...await missingForNode(), ...await missingForImages(), ...await missingPrograms('skopeo', 'kubectl', 'npm', 'git'),
  ];
  if (missing.length > 0) {
    return { figure: `not tried: this machine lacks ${missing.join(', ')}`, holds: undefined };
  }
  const folder = await mkdtemp(join(tmpdir(), 'platform-release-'));
  try {
    const releases = await madeReleases(folder, share, report);
    const wrong = releases.notReproduced.map((file) => `${file} differs when the release is made again`);
    await using lab = await startLab({ home: join(folder, 'lab'), spokes: 1, node: true, environment: process.env, report });
    const { kubeconfig, node } = lab.spokes[0] as Required<LabCluster>;
    using api = await openApi(kubeconfig);
    await using registry = await openRegistry(node, join(folder, 'registry'));
    const files = await handOver(releases, join(folder, 'stranger'));
    await using stranger = await openStranger({
      folder: join(folder, 'stranger'),
      start: files.now.folder,
      environment: { KUBECONFIG: kubeconfig, SSL_CERT_FILE: registry.authority },
    });
    const world: World = { releases: files, registry, stranger, api, address: node.address, report, wrong };
    const blocks = await followPage(world);
    return { figure: `${blocks} blocks of commands, ${wrong.length} wrong`, holds: wrong.length === 0, counterexamples: wrong.slice(0, 40) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function madeReleases(folder: string, share: number, report: (line: string) => void): Promise<Releases> {
  await using docker = await openDaemon();
  return await makeReleases(docker, folder, share === 1, report);
}

/** Copies the files of the releases to where they are used, with the names that the page gives to their folders. */
async function handOver({ now, next, notReproduced }: Releases, target: string): Promise<Releases> {
  const copy = async ({ version, folder }: MadeRelease): Promise<MadeRelease> => {
    const copied = join(target, basename(folder));
    await cp(folder, copied, { recursive: true });
    return { version, folder: copied };
  };
  return { now: await copy(now), next: await copy(next), notReproduced };
}

/** Runs all blocks of the page; returns their number. */
async function followPage(world: World): Promise<number> {
  const { steps } = readTutorials().find((one) => one.name === page)!;
  const sections = Map.groupBy(steps, ({ title }) => title);
  const before = [...sections].filter(([title]) => !underLoad.includes(title));
  for (const [title, blocks] of before) await runSection(world, title, blocks, world.releases.now);
  const { api, address, registry, releases, wrong } = world;
  const release = releaseIn(api, 'platform', `${registry.name}/platform/cli:${releases.now.version}`);
  const customers = await prepareCustomers(await openGateway(api, address), release);
  // The answer `version` differs between releases.
  const reads = customers.reads.filter((kind) => kind.name !== 'version');
  await using load = startLoad([...reads, ...customers.writes], { clients, share: 1, perSecond });
  await load.steady(60_000);
  for (const title of underLoad) {
    await step(world, load, title, { mayRefuse: false, leastPerSecond: 0 }, async () => {
      await runSection(world, title, sections.get(title)!, releases.next);
      await release.rolledOut(blockMs);
    });
  }
  await load.stop();
  wrong.push(...await customers.disagreements());
  return steps.length;
}

async function runSection(
  { stranger, registry, report, wrong }: World, title: string, blocks: readonly Step[], release: MadeRelease,
): Promise<void> {
  const begun = performance.now();
  for (const { needs, commands, prints } of blocks) {
    const text = needs === 'settings' ? settings(commands, registry, release) : commands;
    const output = await stranger.run(text, blockMs);
    wrong.push(...lackingIn(output, prints).map((line) => `${title}: lacks "${line}" in ${output.slice(-2_000)}`));
  }
  report(`${title}: done in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
}

/** The settings of the page with values of this run. @throws Error if a line sets something else */
function settings(commands: string, registry: Registry, { version, folder }: MadeRelease): string {
  return commands.trimEnd().split('\n').map((line) => {
    if (line.startsWith('REGISTRY=')) return `REGISTRY=${registry.name}`;
    if (line.startsWith('VERSION=')) return `VERSION=${version}`;
    if (line.startsWith('cd ')) return `cd ../${basename(folder)}`;
    throw new Error(`the page sets something unknown: ${line}`);
  }).join('\n');
}

async function openGateway(api: Api, address: string): Promise<HttpClient> {
  const { spec } = await api.call('GET', '/api/v1/namespaces/platform/services/platform-gateway') as {
    spec: { ports: readonly { nodePort: number }[] };
  };
  return documentedHttp(`http://${address}:${spec.ports[0]!.nodePort}`);
}
