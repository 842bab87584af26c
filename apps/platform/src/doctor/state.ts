import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, type SettingsRule } from '@platform/service';
import { type Environment, readLauncherSettings } from '../settings.ts';
import { type CheckOutcome, failed, passed } from './check.ts';

/** Checks that only the owner can read the secrets of a state, and that no secret is empty. */
export async function checkSecrets(home: string): Promise<CheckOutcome[]> {
  return (await Promise.all(secretFolders.map((name) => checkFolder(home, name)))).flat();
}

/** `tls` exists only if the launcher makes certificates. Certificates themselves are public. */
const secretFolders = ['secrets', 'tls'] as const;

async function checkFolder(home: string, what: (typeof secretFolders)[number]): Promise<CheckOutcome[]> {
  const folder = join(home, what);
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    // No platform was started on this folder yet. The check of the parts reports that.
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
    const found = `others may read ${open.join(', ')}`;
    failures.push(failed('state', what, found, `\`chmod 600\` these files in ${folder}.`));
  }
  if (empty.length > 0) {
    const fix = `Restore these files in ${folder} from a copy. Without a copy, start the platform: its error says what to do.`;
    failures.push(failed('state', what, `empty: ${empty.join(', ')}`, fix));
  }
  return failures.length > 0 ? failures : [passed('state', what, `${names.length} files, readable only by their owner`)];
}

/**
 * Whether the settings of the environment and the settings file are valid and known.
 * @param rule for combinations of settings; default: the rule of the launcher
 */
export function checkSettings(home: string, environment: Environment, rule?: SettingsRule): CheckOutcome[] {
  const unknown: string[] = [];
  try {
    const warn = (line: string): void => void unknown.push(line);
    const { settingsFile } = readLauncherSettings(home, environment, warn, rule);
    // The running platform may have been started with other settings. Its services report those settings.
    const found = `can be used, with ${settingsFile ?? 'no settings file'}`;
    return [
      passed('settings', 'values', found),
      ...unknown.map((line) => failed('settings', 'names', line, 'Correct the name, or remove the setting.')),
    ];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ key, where, found, accepts }) => {
      return failed('settings', key || 'file', `${where}: ${found}`, `Set ${accepts}.`);
    });
  }
}
