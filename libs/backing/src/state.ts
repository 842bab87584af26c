import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { BackingFault } from './fault.ts';
import { keptSecret, type SecretOptions } from './kept-secret.ts';
import { stopLeftover } from './pid-file.ts';

/**
 * Paths in the folder that a platform keeps between starts.
 *
 *   <home>/                 .platform in the project's root, or PLATFORM_HOME; 0700. Under root 0711, because
 *                           PostgreSQL's user must reach its data
 *     postgres/data/        PGDATA. If PostgreSQL's user cannot enter `postgres/`, the file `postgres/location`
 *                           contains the path of another folder. PGDATA is then `data/` in the other folder
 *     nats/                 server.conf, jetstream/, accounts/ (account JWTs of the full resolver)
 *     openfga/              working folder of OpenFGA; its data is in PostgreSQL
 *     logs/<name>.log       one file per part
 *     processes/<name>.json pid and start time of a process. The next start finds and stops a process that a killed
 *                           launcher left running
 *     secrets/              0700; one file 0600 per secret
 *
 * The folder also contains other files, such as the launcher's `run.json` and the settings in `platform.yaml`.
 */
export interface State {
  readonly home: string;
  readonly postgres: string;
  readonly nats: string;
  readonly openfga: string;
  readonly logs: string;
  readonly processes: string;
  readonly secrets: string;
  logFile(name: string): string;
  /** Returns the path of the file in which `launch` records the process with this name. */
  pidFile(name: string): string;
  /** Returns the secret with this name; creates it if it is missing. @throws BackingFault STATE_UNUSABLE */
  secret(name: string, options?: SecretOptions): Promise<string>;
  secretFile(name: string): string;
}

/** Creates the state folder and its subfolders if they are missing. @throws BackingFault STATE_UNUSABLE */
export async function openState(home: string): Promise<State> {
  const state = stateAt(home);
  try {
    await makeFolder(state.home, process.getuid?.() === 0 ? 0o711 : 0o700);
    await makeFolder(state.postgres, 0o711);
    for (const folder of [state.nats, state.openfga, state.logs, state.processes, state.secrets]) {
      await makeFolder(folder, 0o700);
    }
  } catch (error) {
    const message = `The state folder ${state.home} cannot be used: ${(error as Error).message}.`;
    const cure = 'Start the platform as the owner of the folder, or set PLATFORM_HOME to another folder.';
    throw new BackingFault('STATE_UNUSABLE', message, cure, { cause: error });
  }
  return state;
}

/**
 * Stops the processes that a killed launcher left running. Then removes the state folder. If PostgreSQL's data is in a
 * folder outside the state folder, removes that folder, too. The caller must make sure that no launcher uses the state.
 */
export async function removeState(home: string): Promise<void> {
  const state = stateAt(home);
  for (const file of await readdir(state.processes).catch(() => [])) await stopLeftover(join(state.processes, file));
  // If the location cannot be read, PostgreSQL's data outside the state folder stays.
  const elsewhere = await readLocation(state).catch(() => undefined);
  if (elsewhere !== undefined) await rm(elsewhere, { recursive: true, force: true });
  await rm(state.home, { recursive: true, force: true });
}

/** Path of the file that contains the location of PostgreSQL's data, if this data is outside the state folder. */
export function locationFile(state: State): string {
  return join(state.postgres, 'location');
}

/**
 * Returns the folder outside the state folder that contains PostgreSQL's data, from the file at {@link locationFile}.
 * Returns undefined if the file does not exist.
 * @throws BackingFault STATE_UNUSABLE if the file is empty or cannot be read. The platform would otherwise start with
 *   new, empty data
 */
export async function readLocation(state: State): Promise<string | undefined> {
  const file = locationFile(state);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new BackingFault('STATE_UNUSABLE', `${file} cannot be read: ${error.message}.`, 'Start the platform as the owner of the folder.');
  });
  if (text?.trim() !== '') return text?.trim();
  const message = `${file} is empty, but must contain the path of the folder with PostgreSQL's data.`;
  const folder = `the folder in /var/lib/platform whose file \`state\` contains ${state.home}`;
  throw new BackingFault('STATE_UNUSABLE', message, `Find ${folder}. Write the path of this folder into ${file}.`);
}

function stateAt(folder: string): State {
  const home = resolve(folder);
  const secrets = join(home, 'secrets');
  const logs = join(home, 'logs');
  const processes = join(home, 'processes');
  return {
    home, logs, processes, secrets,
    postgres: join(home, 'postgres'),
    nats: join(home, 'nats'),
    openfga: join(home, 'openfga'),
    logFile: (name) => join(logs, `${name}.log`),
    pidFile: (name) => join(processes, `${name}.json`),
    secret: (name, options) => keptSecret(join(secrets, name), options),
    secretFile: (name) => join(secrets, name),
  };
}

async function makeFolder(folder: string, mode: number): Promise<void> {
  // Create folders one by one. With `recursive`, `mkdir` hangs where the kernel permits no new folder, as in /proc.
  if (!existsSync(dirname(folder))) await makeFolder(dirname(folder), mode);
  try {
    await mkdir(folder, { mode });
    // The umask may have reduced the mode of the new folder. If the folder existed, mkdir has failed: its mode stays.
    await chmod(folder, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  await stat(join(folder, '.'));
}
