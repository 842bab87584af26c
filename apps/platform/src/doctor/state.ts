import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, type SettingsRule } from '@platform/service';
import { type Environment, readLauncherSettings } from '../settings.ts';
import { type CheckOutcome, failed, passed } from './check.ts';

/** Checks that other users cannot read the secrets of a state, and that no file is empty. */
export async function checkSecrets(home: string): Promise<CheckOutcome[]> {
  // The launcher creates `tls` only if it issues certificates. Certificates themselves are public.
  return (await Promise.all([checkFolder(home, 'secrets'), checkFolder(home, 'tls')])).flat();
}

async function checkFolder(home: string, what: string): Promise<CheckOutcome[]> {
  const folder = join(home, what);
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    // Without certificates, `tls` is missing. If no platform was started yet, the check of the parts reports that.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    return [failed('state', what, `${folder} cannot be read`, 'Run the command as the user who started the platform.')];
  }
  const open: string[] = [];
  const empty: string[] = [];
  for (const name of names) {
    const { mode, size } = await stat(join(folder, name));
    if (!name.endsWith('.pem') && (mode & 0o077) !== 0) open.push(name);
    if (size === 0) empty.push(name);
  }
  const failures: CheckOutcome[] = [];
  if (open.length > 0) {
    const fix = `\`chmod 600\` these files in ${folder}.`;
    failures.push(failed('state', what, `others may read ${open.join(', ')}`, fix));
  }
  if (empty.length > 0) {
    const fix = `Restore these files in ${folder} from a copy. Without a copy, start the platform: its error says what to do.`;
    failures.push(failed('state', what, `empty: ${empty.join(', ')}`, fix));
  }
  return failures.length > 0 ? failures : [passed('state', what, `${names.length} files, no secret open to others`)];
}

/** @param rule for combinations of settings; default: the rule of the launcher */
export function checkSettings(home: string, environment: Environment, rule?: SettingsRule): CheckOutcome[] {
  const unknown: string[] = [];
  try {
    const { settingsFile } = readLauncherSettings(home, environment, (line) => unknown.push(line), rule);
    // The running platform may have been started with other settings. Its services report those settings.
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
