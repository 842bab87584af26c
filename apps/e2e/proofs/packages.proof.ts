import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual, promisify } from 'node:util';
import type { ProofOptions, ProofResult } from '@platform/testing';
import { grpcLanguages, openStranger, otherNodes, type Stranger } from '../src/clients/stranger.ts';
import { startWorld, type World } from '../src/orgs/world.ts';

export const name = 'packages';
export const describe = 'What a release packs is used without a clone: @platform/client and @platform/cli on Node '
  + `${otherNodes.join(', ')} and this one, the protos by @grpc/proto-loader, by generated Python and by generated Go.`;
export const servers = true;

const run = promisify(execFile);
const longestMs = 60_000;

/** The steps of each program: make a team, list the teams, and ask for a missing one. */
interface Walked {
  readonly team: number;
  readonly names: readonly string[];
  readonly reason: string;
}

export async function prove({ report }: ProofOptions): Promise<ProofResult> {
  await using world = await startWorld();
  const folder = await mkdtemp(join(tmpdir(), 'platform-stranger-'));
  const counterexamples: string[] = [];
  const tries = async (what: string, walk: () => Promise<string[]>): Promise<void> => {
    const wrong = await walk().catch((error: unknown) => [(error as Error).message]);
    report(`${what}: ${wrong.length === 0 ? 'walked' : wrong.join('; ')}`);
    counterexamples.push(...wrong.map((one) => `${what}: ${one}`));
  };
  try {
    const stranger = await openStranger(folder);
    report('the release is made and installed');
    for (const [version, node] of stranger.nodes) {
      await tries(`client on Node ${version}`, () => walkByClient(world, stranger, node, `Node ${version}`));
      await tries(`command line on Node ${version}`, () => walkByCommands(world, stranger, node));
    }
    for (const language of grpcLanguages) {
      await tries(`gRPC by ${language}`, async () => {
        const program = await stranger.grpcProgram(language);
        const { username } = await world.organization(world.siteAdmin);
        const [command, ...given] = program.command;
        const words = [...given, world.platform.grpc['orgs-teams'], world.siteAdmin.token, username];
        const { stdout } = await run(command, words, { cwd: program.folder, timeout: longestMs });
        return wrongsOf(world, JSON.parse(stdout) as Walked, username, 'NOT_FOUND');
      });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return {
    figure: `${otherNodes.length + 1} versions of Node, ${grpcLanguages.length} languages: ${counterexamples.length} wrong`,
    holds: counterexamples.length === 0,
    counterexamples,
  };
}

async function walkByClient(world: World, { packages }: Stranger, node: string, title: string): Promise<string[]> {
  const { username } = await world.organization(world.siteAdmin);
  const words = ['main.mjs', world.platform.baseUrl, world.siteAdmin.token, username, title];
  const { stdout } = await run(node, words, { cwd: packages, timeout: longestMs });
  return wrongsOf(world, JSON.parse(stdout) as Walked, username, 'not_found');
}

/** Compares the results of a program with the state of the platform. */
async function wrongsOf(world: World, walked: Walked, username: string, reason: string): Promise<string[]> {
  const answer = await world.siteAdmin.http.get(`/api/v1/orgs/${username}/teams`);
  const teams = answer.json<{ id: number; name: string }[]>();
  const is = [walked.names, walked.reason, teams.some(({ id }) => id === walked.team)];
  const should = [teams.map((team) => team.name), reason, true];
  return isDeepStrictEqual(is, should) ? [] : [`${JSON.stringify(is)} in place of ${JSON.stringify(should)}`];
}

/** A person signs in and calls the API; an operator asks a service over gRPC. */
async function walkByCommands(world: World, { packages, cli }: Stranger, node: string): Promise<string[]> {
  const home = await mkdtemp(join(packages, 'home-'));
  const environment = { HOME: home, PATH: process.env['PATH'] ?? '' };
  const platform = (...words: string[]) =>
    run(node, [cli, ...words], { cwd: packages, env: environment, timeout: longestMs });
  const login = spawn(node, [cli, 'login', world.platform.baseUrl, '--json'], {
    cwd: packages, env: environment, stdio: ['pipe', 'pipe', 'inherit'], timeout: longestMs,
  });
  login.stdin.end(`${world.siteAdmin.token}\n`);
  const { login: signedIn } = JSON.parse(await text(login.stdout)) as { login: string };
  const { username } = await world.organization(world.siteAdmin);
  const made = JSON.parse((await platform(
    'api', 'createTeam', `--orgname=${username}`, '--set', 'name=By command', '--set', 'type=kubernetes',
    '--set', 'permission=read', '-o', 'json',
  )).stdout) as { id: number };
  const { stdout: list } = await platform('api', 'listTeams', `--orgname=${username}`, '-o', 'json');
  const listed = JSON.parse(list) as object[];
  const credential = join(home, 'credential');
  await writeFile(credential, world.platform.serviceCredential, { mode: 0o600 });
  const { stdout: shown } = await platform(
    'admin', 'org', 'show', username, '--server', world.platform.grpc['orgs-teams'], '--token-file', credential, '--json',
  );
  const found = await world.siteAdmin.http.get(`/api/v1/teams/${made.id}`);
  const is = [signedIn, found.status, listed.length > 0, shown.includes(username)];
  const should = [world.siteAdmin.username, 200, true, true];
  return isDeepStrictEqual(is, should) ? [] : [`${JSON.stringify(is)} in place of ${JSON.stringify(should)}`];
}
