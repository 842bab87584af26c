import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { connect, sql } from '@platform/postgres';
import {
  ownBus, type OwnBus, ownEngine, ownPostgres, type OwnEngine, type OwnPostgres, type ProofOptions, type ProofResult,
  repositoryRoot, seeded, type SeededRandom, until,
} from '@platform/testing';
import sharp from 'sharp';
import { specCall } from '../src/operator.ts';
import { pictureForm } from '../src/orgs/form-body.ts';
import type { Host } from '../src/platform.ts';
import { type Organization, type Person, startWorld, type World } from '../src/orgs/world.ts';
import { type Agent, type Agents, prepareAgents } from './agents.ts';

export const name = 'restore';
export const describe = 'docs/restore.md is followed 10 times: rows of an older moment are put back, or the database of OpenFGA '
  + 'is lost; after platform doctor --repair rows, engine and bus agree, nothing of later is allowed, no id is given again.';
export const servers = true;

const wholeRounds = 10;
const services: readonly Host[] = ['orgs-teams', 'authz', 'clusters', 'contracts-licensing'];

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const random = seeded(seed);
  const rounds = Math.max(1, Math.round(wholeRounds * share));
  // Rows and relations are on separate servers, so that one can be lost or restored without the other.
  await using rows = await ownPostgres();
  await using relations = await ownPostgres();
  const engine = await ownEngine(relations);
  const bus = await ownBus();
  await using world = await startWorld({
    postgres: rows, hosts: services, settings: { ...engine.settings, ...bus.settings, 'log.level': 'error' },
  });
  const counterexamples: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const found = [
      ...await restoreOlderRows(world, rows, bus, random), ...await loseEngine(world, { engine, relations }, random),
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

async function restoreOlderRows(
  world: World, rows: OwnPostgres, bus: OwnBus, random: SeededRandom,
): Promise<string[]> {
  const wrongs: string[] = [];
  // Given: a state, its backup, and later changes
  const owner = await world.person();
  const kept = await world.organization(owner);
  const viewer = await world.person();
  await world.join(owner, kept.teams.Viewers, viewer);
  const outside = await prepareOutside(world, bus, owner, kept);
  const restore = await rows.backUp();
  await back(owner, kept);
  const before = await teamsSeen(viewer, kept);
  const later = await changesLater(world, owner, kept, viewer, random);
  await outside.changeLater();

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
  const ids = idsOf(next);
  if (ids.some((id) => later.ids.has(id))) wrongs.push(`an id was given again: ${ids.join(', ')} of ${[...later.ids].join(', ')}`);
  wrongs.push(...await outside.disagreements());
  return wrongs;
}

/** State outside rows and engine: credentials at the bus, files, and tokens that their owners hold. */
interface Outside {
  changeLater(): Promise<void>;
  /** Follows the restore procedure for this state; returns the differences from what the procedure promises. */
  disagreements(): Promise<string[]>;
}

async function prepareOutside(world: World, bus: OwnBus, owner: Person, kept: Organization): Promise<Outside> {
  const agents = await prepareAgents(world, bus);
  const [stays, goes] = [await made(agents), await made(agents)];
  // An organization whose bus account is created after the backup, with its first credentials.
  const late = await prepareAgents(world, bus, { calm: 0 });
  let [unknown, newer]: (Agent | undefined)[] = [];
  const { admin } = world.operator;
  const { id: tokenId, token } = await admin.createToken(
    { user: owner.username, organization: '', name: 'revoked later', expiresInSeconds: 0 }, specCall(),
  );
  const revokeToken = () => admin.revokeToken({ id: tokenId }, specCall());
  const uses = async () => (await world.as(token).get(`/api/v1/orgs/${kept.username}/teams`)).status;
  const first = await newPicture(owner, kept, 'teal');
  return {
    changeLater: async () => {
      await agents.revoke(goes, patienceMs);
      await agents.expelled(goes, patienceMs);
      [newer, unknown] = [await made(agents), await made(late)];
      await agents.admitted(newer, patienceMs);
      await late.admitted(unknown, patienceMs);
      await revokeToken();
      await newPicture(owner, kept, 'crimson');
    },
    disagreements: async () => {
      const wrongs: string[] = [];
      const note = (error: unknown) => void wrongs.push(String(error));
      await Promise.all([
        agents.admitted(stays, patienceMs), agents.admitted(goes, patienceMs), agents.expelled(newer!, patienceMs),
        late.expelled(unknown!, patienceMs),
      ].map((one) => one.catch(note)));
      const again = await agents.revoke(goes, patienceMs);
      if (again !== 200) wrongs.push(`revoked again, credentials are answered ${again}`);
      await agents.expelled(goes, patienceMs).catch(note);
      if (await uses() !== 200) wrongs.push('a token that was revoked later does not work, though the rows have it');
      await revokeToken();
      if (await uses() !== 401) wrongs.push('a token that was revoked again works');
      const shown = await world.nobody.get(first);
      if (![200, 404].includes(shown.status)) wrongs.push(`the picture of the backup is answered ${shown.status}`);
      const set = await world.nobody.get(await newPicture(owner, kept, 'gold'));
      if (set.status !== 200) wrongs.push(`a picture that is set again is answered ${set.status}`);
      return wrongs;
    },
  };
}

const patienceMs = 30_000;

async function made(agents: Agents): Promise<Agent> {
  const agent = await agents.create(patienceMs);
  if (agent === undefined) throw new Error('no credentials could be made');
  return agent;
}

/** Uploads an avatar of an organization; returns its path. */
async function newPicture({ http }: Person, { username }: Organization, background: string): Promise<string> {
  const content = await sharp({ create: { width: 8, height: 8, channels: 3, background } }).png().toBuffer();
  const answer = await http.post(`/api/v1/orgs/${username}/avatar/`, pictureForm(content));
  if (answer.status !== 200) throw new Error(answer.text);
  const shown = await http.get(`/api/v1/orgs/${username}`);
  return new URL(shown.json<{ avatar_url: string }>().avatar_url).pathname;
}

interface Later {
  readonly newcomer: Person;
  /** Ids of accounts and teams that the older rows do not contain. */
  readonly ids: ReadonlySet<string>;
}

function idsOf({ id, systemAdminId, teams }: Organization): string[] {
  return [`account ${id}`, `account ${systemAdminId}`, ...Object.values(teams).map((team) => `team ${team}`)];
}

/** Grants and revokes rights, and makes organizations, after the backup. */
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
  const ids = new Set<string>();
  for (let count = random.integer(1, 3); count > 0; count -= 1) {
    const made = await world.organization(owner);
    for (const id of idsOf(made)) ids.add(id);
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
  /** Whether doctor reports that rows and engine agree. */
  readonly agrees: boolean;
  readonly text: string;
}

/** Runs `platform doctor` like an operator, until every part that it asks answers. */
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
