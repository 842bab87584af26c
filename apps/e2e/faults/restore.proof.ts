import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { connect, sql } from '@platform/postgres';
import {
  ownEngine, ownPostgres, type OwnEngine, type OwnPostgres, type ProofOptions, type ProofResult, repositoryRoot, seeded,
  type SeededRandom, until,
} from '@platform/testing';
import type { Host } from '../src/platform.ts';
import { type Organization, type Person, startWorld, type World } from '../src/orgs/world.ts';

export const name = 'restore';
export const describe = 'docs/restore.md is followed 10 times: rows of an older moment are put back, or the database of OpenFGA '
  + 'is lost; after platform doctor --repair rows and engine agree, nothing of later is allowed, and no id is given again.';
export const servers = true;

const wholeRounds = 10;
const services: readonly Host[] = ['orgs-teams', 'authz', 'clusters', 'contracts-licensing'];

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const random = seeded(seed);
  const rounds = Math.max(1, Math.round(wholeRounds * share));
  // Each on a server of its own, so that one may be lost or grow old without the other.
  await using rows = await ownPostgres();
  await using relations = await ownPostgres();
  const engine = await ownEngine(relations);
  await using world = await startWorld({ postgres: rows, settings: { ...engine.settings, 'log.level': 'error' } });
  const counterexamples: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const found = [
      ...await restoreOlderRows(world, rows, random), ...await loseEngine(world, { engine, relations }, random),
    ];
    counterexamples.push(...found.map((what) => `round ${round}: ${what}`));
    report(`${round + 1} of ${rounds} rounds, ${counterexamples.length} wrong`);
  }
  return {
    figure: `${rounds} times older rows and ${rounds} times a lost engine, ${counterexamples.length} wrong`,
    holds: counterexamples.length === 0,
    counterexamples: counterexamples.slice(0, 20),
  };
}

async function restoreOlderRows(world: World, rows: OwnPostgres, random: SeededRandom): Promise<string[]> {
  const wrongs: string[] = [];
  // Given: a state, its backup, and changes after it
  const owner = await world.person();
  const kept = await world.organization(owner);
  const viewer = await world.person();
  await world.join(owner, kept.teams.Viewers, viewer);
  const restore = await rows.backUp();
  await back(owner, kept);
  const before = await teamsSeen(viewer, kept);
  const later = await changesLater(world, owner, kept, viewer, random);

  // When: the steps of docs/restore.md
  const stopped = [...services.map((service) => world.platform.services[service]), world.platform.services.gateway];
  await Promise.all(stopped.map((service) => service.stop()));
  await restore();
  for (const service of stopped.slice(0, -1)) await Promise.all(service.replicas.map((replica) => replica.restart()));
  const found = await doctor(world);
  if (found.agrees) wrongs.push('doctor saw no difference between older rows and a newer engine');
  const repaired = await doctor(world, '--repair');
  if (!repaired.agrees) wrongs.push(`not repaired: ${repaired.text}`);
  await world.platform.services.gateway.replicas[0].restart();
  await back(owner, kept);

  // Then
  const again = await doctor(world);
  if (!again.agrees) wrongs.push(`repaired, and differs: ${again.text}`);
  if (JSON.stringify(await teamsSeen(viewer, kept)) !== JSON.stringify(before)) wrongs.push('other teams than before');
  const { status } = await later.newcomer.http.get(`/api/v1/orgs/${kept.username}/teams`);
  if (status !== 401) wrongs.push(`somebody who came later is answered ${status}`);
  const next = await world.organization(owner);
  const ids = [next.id, ...Object.values(next.teams)];
  if (ids.some((id) => later.ids.has(id))) wrongs.push(`an id was given again: ${ids.join(', ')} of ${[...later.ids].join(', ')}`);
  return wrongs;
}

interface Later {
  readonly newcomer: Person;
  /** Of accounts and teams that the older rows do not know. */
  readonly ids: ReadonlySet<number>;
}

/** Gives and takes rights, and makes organizations, all of it after the backup. */
async function changesLater(
  world: World, owner: Person, kept: Organization, viewer: Person, random: SeededRandom,
): Promise<Later> {
  const newcomer = await world.person();
  await world.join(owner, kept.teams.Owners, newcomer);
  const patch = (team: string, id: number, permission: string) =>
    owner.http.patch(`/api/v1/teams/${id}`, { json: { name: team, permission } });
  await patch('Viewers', kept.teams.Viewers, random.pick(['admin', 'write']));
  await patch('Editors', kept.teams.Editors, 'read');
  await owner.http.delete(`/api/v1/teams/${kept.teams.Viewers}/members/${viewer.username}`);
  const ids = new Set<number>();
  for (let count = random.integer(1, 3); count > 0; count -= 1) {
    const made = await world.organization(owner);
    for (const id of [made.id, ...Object.values(made.teams)]) ids.add(id);
  }
  return { newcomer, ids };
}

async function loseEngine(
  world: World, { engine, relations }: { engine: OwnEngine; relations: OwnPostgres }, random: SeededRandom,
): Promise<string[]> {
  const wrongs: string[] = [];
  // Given
  const owner = await world.person();
  const organization = await world.organization(owner);
  const viewer = await world.person();
  await world.join(owner, random.pick([organization.teams.Viewers, organization.teams.Editors]), viewer);
  const before = await teamsSeen(viewer, organization);

  // When
  await engine.stop();
  await using superuser = connect({ url: relations.superuserUrl, applicationName: 'spec' });
  await superuser.execute(sql`drop database openfga with (force)`);
  await superuser.execute(sql`create database openfga owner openfga`);
  await engine.start();
  const repaired = await doctor(world, '--repair');

  // Then
  if (!repaired.agrees) wrongs.push(`a lost engine is not filled again: ${repaired.text}`);
  await back(viewer, organization);
  if (JSON.stringify(await teamsSeen(viewer, organization)) !== JSON.stringify(before)) wrongs.push('other teams than before');
  return wrongs;
}

async function teamsSeen({ http }: Person, { username }: Organization): Promise<unknown> {
  const answer = await http.get(`/api/v1/orgs/${username}/teams`);
  return [answer.status, answer.status === 200 ? answer.json() : undefined];
}

async function back({ http }: Person, { username }: Organization): Promise<void> {
  const answers = async () => (await http.get(`/api/v1/orgs/${username}/teams`)).status === 200;
  await until(answers, { within: 60_000, what: 'the platform answers again' });
}

interface Verdict {
  /** What doctor says of rows and engine. */
  readonly agrees: boolean;
  readonly text: string;
}

/** `platform doctor`, as an operator calls it; tried until every part it asks answers. */
async function doctor({ platform }: World, ...argv: string[]): Promise<Verdict> {
  const home = await mkdtemp(join(tmpdir(), 'platform-operator-'));
  const credential = join(home, 'credential');
  await writeFile(credential, platform.serviceCredential, { mode: 0o600 });
  const command = join(repositoryRoot, 'apps/platform/bin/platform.mjs');
  const [server] = platform.grpc['orgs-teams'].split(',');
  const ask = () => new Promise<Verdict | undefined>((resolve) => {
    const all = [command, 'doctor', ...argv, '--server', server!, '--token-file', credential, '--json'];
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PLATFORM_HOME: join(home, randomUUID()) };
    execFile(process.execPath, all, { env }, (_error, stdout) => {
      const { checks } = JSON.parse(stdout) as { checks: { area: string; name: string; ok: boolean; found: string }[] };
      const drift = checks.filter(({ area }) => area === 'drift');
      const compared = drift.length > 0 && drift.every(({ found }) => !found.includes('not compared'));
      const text = drift.map((check) => `${check.name}: ${check.found}`).join('; ');
      resolve(compared ? { agrees: drift.every(({ ok }) => ok), text } : undefined);
    });
  });
  try {
    return await until(ask, { within: 60_000, what: 'doctor compares rows and engine' });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
