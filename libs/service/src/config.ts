import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger, type Logger } from './log.ts';
import { nearest } from './nearest.ts';
import { redactText } from './redact.ts';
import { readSettingsFile, type SettingsFile } from './settings-file.ts';
import type { Kind } from './setting-kinds.ts';
import { environmentName, type Setting, type SettingKey, settings, type SettingValue } from './settings.ts';

/** A setting that the service does not require. If it is absent and has no default, its value is undefined. */
export interface Optional<Key extends SettingKey> {
  readonly optional: Key;
}

export function optional<const Key extends SettingKey>(key: Key): Optional<Key> {
  return { optional: key };
}

/** Picks every setting as optional, under its own key, so that a launcher can check the settings of all services. */
export const everySetting = Object.fromEntries(
  (Object.keys(settings) as SettingKey[]).map((key) => [key, optional(key)]),
) as { readonly [Key in SettingKey]: Optional<Key> };

export type Picks = Readonly<Record<string, SettingKey | Optional<SettingKey>>>;

export type Config<Picked extends Picks> = {
  readonly [Name in keyof Picked]: Picked[Name] extends Optional<infer Key>
    ? SettingValue<Key> | ((typeof settings)[Key] extends Setting<unknown, true> ? never : undefined)
    : Picked[Name] extends SettingKey
      ? SettingValue<Picked[Name]>
      : never;
};

/**
 * Checks several picked settings together, and returns the violations.
 * @param given returns where a setting was given: the variable, or file and key; undefined if it was not given
 * @param valueOf returns the value of a setting; undefined if it has no value, is invalid or is not picked
 */
export type SettingsRule = (
  given: (key: SettingKey) => string | undefined,
  valueOf: <Key extends SettingKey>(key: Key) => SettingValue<Key> | undefined,
) => readonly ConfigProblem[];

export interface ConfigSource {
  /** Usually `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Path of a YAML file. Default: setting `config.file`, or `platform.yaml` in `PLATFORM_HOME` if this file exists. */
  readonly file?: string;
  /** Defaults that replace the defaults in `settings`, in the notation of the environment. */
  readonly defaults?: Readonly<Partial<Record<SettingKey, string>>>;
  readonly rule?: SettingsRule;
  /** Receives a warning for each unknown setting. */
  readonly log?: Logger;
}

export interface ConfigProblem {
  /** Dotted key, e.g. `http.port`; empty for a problem of the whole file. */
  readonly key: string;
  /** Where the problem is: usually a variable, or a file and a key. */
  readonly where: string;
  /** What was found; never the value of a secret. */
  readonly found: string;
  readonly accepts: string;
}

/** The configuration cannot be used. Contains all problems, not just the first. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const lines = problems.map(({ where, found, accepts }) => `  ${where}: ${found}; accepted is ${accepts}`);
    super(['The configuration cannot be used:', ...lines].join('\n'));
    this.problems = problems;
  }
}

/**
 * Reads the settings that a service picks. The environment takes precedence over the file, and the file over the
 * default. A value in the file must be valid even if the environment overrides it. An empty value counts as absent.
 * For a secret, the variable `…_FILE` may name a file that contains the value.
 * @throws ConfigError with all problems at once
 */
export function readConfig<const Picked extends Picks>(picked: Picked, source: ConfigSource): Config<Picked> {
  const problems: ConfigProblem[] = [];
  const given = new Map<SettingKey, string>();
  const values = new Map<SettingKey, unknown>();
  const file = openFile(source, problems);
  const config: Record<string, unknown> = {};
  for (const [name, pick] of Object.entries(picked)) {
    const key = typeof pick === 'string' ? pick : pick.optional;
    config[name] = readSetting(key, typeof pick !== 'string', source, file, { problems, given });
    values.set(key, config[name]);
  }
  const valueOf = <Key extends SettingKey>(key: Key) => values.get(key) as SettingValue<Key> | undefined;
  problems.push(...(source.rule?.((key) => given.get(key), valueOf) ?? []));
  warnOfUnknown(source, file);
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config) as Config<Picked>;
}

/** Returns the given settings in the notation of the environment, without settings that cannot be read. */
export function givenTexts(source: Pick<ConfigSource, 'environment' | 'file'>): ReadonlyMap<SettingKey, string> {
  const file = openFile(source, []);
  const ignore = () => undefined;
  return new Map((Object.keys(settings) as SettingKey[]).flatMap((key) => {
    const kind: Kind<unknown> = settings[key].kind;
    const found = fromEnvironment(key, kind.secret, source.environment, ignore) ?? fromFile(key, kind, file, ignore);
    return found === undefined ? [] : [[key, found.text] as const];
  }));
}

interface Found {
  readonly where: string;
  readonly text: string;
}

function readSetting(
  key: SettingKey, mayBeAbsent: boolean, { environment, defaults }: ConfigSource, file: SettingsFile | undefined,
  { problems, given }: { readonly problems: ConfigProblem[]; readonly given: Map<SettingKey, string> },
): unknown {
  const { kind, ...setting }: Setting<unknown> = settings[key];
  const defaultText = defaults?.[key] ?? setting.defaultText;
  const count = problems.length;
  const report = (where: string, found: string): undefined => {
    problems.push({ key, where, found, accepts: kind.accepts });
  };
  const found = [fromEnvironment(key, kind.secret, environment, report), fromFile(key, kind, file, report)]
    .filter((one) => one !== undefined);
  // Check the value in the file even if a variable overrides it, because other processes may read the same file.
  const [value] = found.map(({ where, text }) => {
    const parsed = kind.parse(text);
    if (parsed === undefined) report(where, kind.secret ? 'has an invalid value' : `is "${redactText(text)}"`);
    return parsed;
  });
  if (found[0] !== undefined) given.set(key, found[0].where);
  if (problems.length > count) return undefined;
  if (found.length > 0) return value;
  if (defaultText !== undefined) return kind.parse(defaultText);
  if (mayBeAbsent) return undefined;
  const name = environmentName(key);
  return report(kind.secret ? `${name} (or ${name}_FILE)` : name, 'is required and not set');
}

type Report = (where: string, found: string) => undefined;

function fromEnvironment(
  key: SettingKey, isSecret: boolean, environment: ConfigSource['environment'], report: Report,
): Found | undefined {
  const name = environmentName(key);
  const direct = environment[name]?.trim() ?? '';
  const path = isSecret ? (environment[`${name}_FILE`]?.trim() ?? '') : '';
  if (direct !== '' && path !== '') return report(`${name} and ${name}_FILE`, 'are both set, but only one may be set');
  if (direct !== '') return { where: name, text: direct };
  if (path === '') return undefined;
  try {
    const text = readFileSync(path, 'utf8').trim();
    return text === '' ? report(`${name}_FILE`, `names "${path}", which is empty`) : { where: `${name}_FILE`, text };
  } catch (error) {
    return report(`${name}_FILE`, `names "${path}", which cannot be read (${codeOf(error)})`);
  }
}

function fromFile(
  key: SettingKey, { list, structured = false }: Kind<unknown>, file: SettingsFile | undefined, report: Report,
): Found | undefined {
  const value = file?.values.get(key);
  if (file === undefined || value === undefined || value === null || value === '') return undefined;
  const where = `${file.path}, ${key}`;
  if (typeof value === 'string') return value.trim() === '' ? undefined : { where, text: value.trim() };
  if (typeof value === 'number' || typeof value === 'boolean') return { where, text: String(value) };
  if (!Array.isArray(value)) return report(where, 'is a mapping');
  if (!list) return report(where, 'is a list');
  if (structured) return { where, text: JSON.stringify(value) };
  const items: readonly unknown[] = value;
  if (!items.every((item) => typeof item === 'string' || typeof item === 'number')) {
    return report(where, 'has an item that is neither a text nor a number');
  }
  return items.length === 0 ? undefined : { where, text: items.join(',') };
}

function openFile({ environment, file }: ConfigSource, problems: ConfigProblem[]): SettingsFile | undefined {
  const home = environment[environmentName('home')] ?? '';
  const named = file ?? environment[environmentName('config.file')] ?? '';
  const path = named === '' && home !== '' ? join(home, 'platform.yaml') : named;
  if (path === '' || (named === '' && !existsSync(path))) return undefined;
  try {
    return readSettingsFile(path);
  } catch (error) {
    const found = error instanceof SyntaxError ? error.message
      : error instanceof ReferenceError ? 'contains a YAML alias' : `cannot be read (${codeOf(error)})`;
    problems.push({ key: '', where: path, found, accepts: 'a YAML mapping of settings' });
    return undefined;
  }
}

function warnOfUnknown({ environment, log }: ConfigSource, file: SettingsFile | undefined): void {
  const keys = Object.keys(settings) as SettingKey[];
  const names = keys.flatMap((key) => {
    const name = environmentName(key);
    return settings[key].kind.secret ? [name, `${name}_FILE`] : [name];
  });
  const variables = Object.keys(environment).filter((name) => name.startsWith('PLATFORM_') && !names.includes(name));
  const unknownKeys = [...(file?.values.keys() ?? [])].filter((key) => !Object.hasOwn(settings, key));
  if (variables.length === 0 && unknownKeys.length === 0) return;
  const writer = log ?? createLogger({ service: 'config' });
  for (const name of variables)
    writer.warn({ setting: name, nearest: nearest(name, names) }, 'unknown setting ignored');
  for (const key of unknownKeys) {
    writer.warn({ file: file?.path, setting: key, nearest: nearest(key, keys) }, 'unknown setting ignored');
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

/** `stop.delay` must be shorter than `stop.timeout`, because the service needs time to stop after the delay. */
export const stopRule: SettingsRule = (given, valueOf) => {
  const [delay, timeout] = [valueOf('stop.delay') ?? 0, valueOf('stop.timeout') ?? Infinity];
  if (delay === 0 || delay < timeout) return [];
  const where = given('stop.delay') ?? environmentName('stop.delay');
  return [{ key: 'stop.delay', where, found: `is ${delay} ms`, accepts: `less than stop.timeout, which is ${timeout} ms` }];
};
