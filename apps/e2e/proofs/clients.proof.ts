import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import type { ProofOptions, ProofResult } from '@platform/testing';
import { type Generator, generators, type Program } from '../src/clients/generators/generators.ts';
import { type ContractWorld, day, inSeconds, ok, startContractWorld } from '../src/contracts/contract-world.ts';

export const name = 'clients';
export const describe = 'oapi-codegen, openapi-python-client and openapi-generator (typescript-fetch, python, go, java) '
  + 'make clients of docs/openapi.json; each compiles, and against a running platform signs in by a token, creates a team, '
  + 'creates a contract with e-mails, a quota and a document by its form, and lists a page of teams.';
export const servers = true;

const run = promisify(execFile);
const longestMs = 60_000;

export async function prove({ report }: ProofOptions): Promise<ProofResult> {
  await using world = await startContractWorld();
  const counterexamples: string[] = [];
  for (const generator of generators) {
    const folder = await mkdtemp(join(tmpdir(), 'platform-client-'));
    try {
      const program = await generator.make(folder);
      report(`${generator.name}: the client is made and compiles`);
      const wrong = await walk(world, generator, program);
      report(`${generator.name}: ${wrong.length === 0 ? 'walked' : `${wrong.length} wrong`}`);
      counterexamples.push(...wrong.map((one) => `${generator.name}: ${one}`));
    } catch (error) {
      report(`${generator.name}: fails`);
      counterexamples.push(`${generator.name}: ${(error as Error).message}`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return {
    figure: `${generators.map((one) => one.name).join(', ')}: ${counterexamples.length} wrong`,
    holds: counterexamples.length === 0,
    counterexamples,
  };
}

interface Walked {
  readonly user: { readonly login: string };
  readonly team: { readonly id: number; readonly name: string };
  readonly contracts: readonly { readonly id: number }[];
  readonly teams: readonly { readonly name: string }[];
}

/** Runs the program, and compares its results with the state of the platform afterwards. */
async function walk(world: ContractWorld, { name: by }: Generator, program: Program): Promise<string[]> {
  const slug = `by-${by}`;
  const owner = world.siteAdmin;
  await world.organization(owner, { username: slug });
  const end = inSeconds(day);
  const [command, ...given] = program.command;
  const { stdout } = await run(command, [...given, world.platform.baseUrl, owner.token, slug, String(end)], {
    cwd: program.folder, timeout: longestMs,
  });
  const { user, team, contracts, teams } = JSON.parse(stdout) as Walked;
  const title = `By ${by}`;
  const [contract] = contracts;
  const shown = ok<Record<string, unknown>>(await owner.http.get(`/api/v1/contracts/${contract?.id}`));
  const link = new URL(ok<string>(await owner.http.get(`/api/v1/contracts/${contract?.id}/document`)));
  const document = (await world.nobody.get(link.pathname + link.search)).text;
  const { contactPerson } = shown['emails'] as { contactPerson: unknown };
  const { enabled, metric, limit, alertThresholds } = shown['quota'] as Record<string, unknown>;
  const expected: [what: string, is: unknown, should: unknown][] = [
    ['user', user.login, owner.username],
    ['team', ok<{ name: string }>(await owner.http.get(`/api/v1/teams/${team.id}`)).name, title],
    ['number of contracts', contracts.length, 1],
    ['contract', [shown['orgOrUser'], shown['name'], shown['product'], shown['end']], [slug, title, 'productdb', end]],
    // openapi-generator 7.26.0 for Java sends no list of several values in a form (docs/clients.md).
    ['features', shown['features'], by === 'java' ? ['productdb-enterprise'] : ['productdb', 'productdb-enterprise']],
    ['e-mails', contactPerson, ['ada@example.org', 'bob@example.org']],
    ['quota', { enabled, metric, limit, alertThresholds },
      { enabled: true, metric: 'clusters', limit: 5, alertThresholds: [80, 100] }],
    ['document', document, `%PDF by ${by}`],
    ['fourth page of teams', teams.map((one) => one.name), [title]],
  ];
  return expected.filter(([, is, should]) => !isDeepStrictEqual(is, should))
    .map(([what, is, should]) => `${what}: ${JSON.stringify(is)} in place of ${JSON.stringify(should)}`);
}
