import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, type SettingsRule } from '@platform/service';
import { type Environment, readLauncherSettings } from '../settings.ts';
import { type CheckOutcome, failed, passed } from './check.ts';

/** Checks the folders `secrets` and `tls`: other users must not be able to read secrets, and no file may be empty. */
export async function checkSecrets(home: string): Promise<CheckOutcome[]> {
  return (await Promise.all([checkFolder(home, 'secrets'), checkFolder(home, 'tls')])).flat();
}

async function checkFolder(home: string, what: string): Promise<CheckOutcome[]> {
  const folder = join(home, what);
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    // `secrets` is missing before the first start, and `tls` if the launcher does not issue certificates.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    return [failed('state', what, `${folder} cannot be read`, 'Run the command as the user who started the platform.')];
  }
  const open: string[] = [];
  const empty: string[] = [];
  for (const name of names) {
    const { mode, size } = await stat(join(folder, name));
    // Certificates (`*.pem`) are public.
    if (!name.endsWith('.pem') && (mode & 0o077) !== 0) open.push(name);
    if (size === 0) empty.push(name);
  }
  const failures: CheckOutcome[] = [];
  if (open.length > 0) {
    const listed = open.join(', ');
    failures.push(failed('state', what, `open to others: ${listed}`, `In ${folder}, run \`chmod 600\` on ${listed}.`));
  }
  if (empty.length > 0) {
    const listed = empty.join(', ');
    const fix = `In ${folder}, restore ${listed} from a copy. Without a copy, start the platform: it replaces them, `
      + 'or says what to do.';
    failures.push(failed('state', what, `empty: ${listed}`, fix));
  }
  return failures.length > 0 ? failures : [passed('state', what, `${names.length} files, no secret is open to others`)];
}

/** @param rule for combinations of settings; default: the rule of the launcher */
export function checkSettings(home: string, environment: Environment, rule?: SettingsRule): CheckOutcome[] {
  const unknown: string[] = [];
  try {
    const { settingsFile } = readLauncherSettings(home, environment, (line) => unknown.push(line), rule);
    // The text does not say `are used`: the running platform may have been started with other settings.
    const found = `can be used, with ${settingsFile ?? 'no settings file'}`;
    return [
      passed('settings', 'values', found),
      ...unknown.map((line) => failed('settings', 'names', line, 'Correct the name, or remove the setting.')),
    ];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ key, where, found, accepts }) =>
      failed('settings', key || 'file', `${where}: ${found}`, `Set ${accepts}.`));
  }
}
