import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, type HttpClient, type ProofOptions, type ProofResult, until } from '@platform/testing';
import { documentedHttp } from '../src/documented.ts';
import { type Compose, type Container, documentedCommands, openCompose } from './compose.ts';
import { missingForImages, openDocker } from './docker.ts';

export const name = 'compose';
export const describe = 'On one machine with Docker, the commands of deploy/compose/README.md start the platform; a killed '
  + 'process of each part comes back by itself; data and secrets are kept when all goes down and up.';

const backMs = 3 * 60_000;

/** The running platform that the proof tests. */
interface Tried {
  readonly compose: Compose;
  readonly http: HttpClient;
  readonly report: (line: string) => void;
  readonly wrong: string[];
}

export async function prove({ report }: ProofOptions): Promise<ProofResult> {
  const missing = [...process.getuid!() === 0 ? [] : ['root'], ...await missingForImages()];
  if (missing.length > 0) {
    return { figure: `not tried: this machine lacks ${missing.join(', ')}`, holds: undefined };
  }
  await using docker = await openDocker(report);
  const listen = `127.0.0.1:${await freePort()}`;
  const baseUrl = `http://${listen}`;
  const wrong: string[] = [];
  let figure: string;
  {
    await using compose = await openCompose(docker, { PLATFORM_LISTEN: listen, PLATFORM_HTTP_BASE_URL: baseUrl });
    report('images are built');
    figure = await tryAll({ compose, http: documentedHttp(baseUrl), report, wrong });
    await compose.shell('docker compose down --volumes');
    wrong.push(...(await compose.leftovers()).map((one) => `${one} is left`));
  }
  return { figure: `${figure}, ${wrong.length} wrong`, holds: wrong.length === 0, counterexamples: wrong };
}

async function tryAll(tried: Tried): Promise<string> {
  const { compose, report, wrong } = tried;
  const begun = performance.now();
  for (const command of await documentedCommands()) {
    await compose.shell(command);
    report(`done: ${command}`);
  }
  const seconds = secondsSince(begun);
  const secrets = await digestOfState(compose);
  const admin = await asAdmin(tried);
  const organization = { username: 'acme' };
  const made = await admin.post('/api/v1/orgs', { json: organization });
  if (made.status !== 201) throw new Error(`the organization: ${made.status} ${made.text}`);

  const containers = await compose.containers();
  const back: number[] = [];
  for (const container of containers) back.push(await kill(tried, admin, container));

  await compose.shell('docker compose down');
  await compose.shell('docker compose up --detach --wait');
  if (await digestOfState(compose) !== secrets) wrong.push('down and up made other secrets');
  await untilWorks(await asAdmin(tried));
  report('went down and came up');
  return `up in ${seconds} s, ${containers.length} parts killed, back within ${Math.max(...back)} s`;
}

/** Kills the main process of a container; returns the seconds until everything works again. */
async function kill({ compose, report }: Tried, admin: HttpClient, { part, pid, startedAt }: Container): Promise<number> {
  const begun = performance.now();
  process.kill(pid, 'SIGKILL');
  await until(async () => {
    const container = (await compose.containers()).find((one) => one.part === part);
    return container !== undefined && container.startedAt !== startedAt && (container.health ?? 'healthy') === 'healthy';
  }, { within: backMs, what: `${part} is back` });
  await untilWorks(admin);
  report(`${part} was killed, and is back after ${secondsSince(begun)} s`);
  return secondsSince(begun);
}

/** Waits until the organization can be read, and a team can be made and deleted. */
async function untilWorks(admin: HttpClient): Promise<void> {
  await until(async () => {
    const read = await admin.get('/api/v1/orgs/acme');
    if (read.status >= 500) return false;
    if (read.status !== 200 || read.json<{ username: string }>().username !== 'acme') {
      throw new Error(`the organization: ${read.status} ${read.text}`);
    }
    const made = await admin.post('/api/v1/orgs/acme/teams', { json: { name: 'Team', type: 'kubernetes', permission: 'read' } });
    if (made.status !== 201) return false;
    const path = `/api/v1/teams/${made.json<{ id: number }>().id}`;
    return (await admin.send('DELETE', path)).status === 204;
  }, { within: backMs, what: 'the platform works' });
}

/** A client with the token of the first site admin, from the file that the README names. */
async function asAdmin({ compose, http }: Tried): Promise<HttpClient> {
  const token = await readFile(join(compose.folder, 'prepared/state/secrets/admin-token'), 'utf8');
  return http.with({ authorization: `token ${token.trim()}` });
}

async function digestOfState({ folder }: Compose): Promise<string> {
  const hash = createHash('sha256');
  const files = (await Array.fromAsync(glob('**/*', { cwd: join(folder, 'prepared/state'), withFileTypes: true })))
    .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).toSorted();
  for (const file of files) hash.update(file).update(await readFile(file));
  return hash.digest('hex');
}

function secondsSince(begun: number): number {
  return Math.round((performance.now() - begun) / 1_000);
}
