import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { environmentName, services, settings, type SettingKey } from '@platform/service';
import { parse } from 'yaml';
import { root } from './run-command.ts';

const dockerfile = readFileSync(join(root, 'deploy/images/Dockerfile'), 'utf8');
const stages = new Map(dockerfile.split(/^FROM /m).slice(1).map((stage) => [/^.* AS (\S+)/.exec(stage)![1]!, stage]));
/** The app that each image starts, by image. */
const targets = new Map([...stages].flatMap(([name, stage]) => {
  const app = /^ENTRYPOINT \["node", "apps\/([a-z-]+)\/src\/main\.ts"\]$/m.exec(stage)?.[1];
  return app === undefined ? [] : [[name, app] as const];
}));
const patterns = readFileSync(join(root, 'deploy/images/Dockerfile.dockerignore'), 'utf8').split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { dev?: boolean; link?: boolean }>;
};

/** Whether Docker ignores a file: the last pattern that matches the file or one of its folders decides. */
function isIgnored(file: string): boolean {
  const words = file.split('/');
  const paths = words.map((_, index) => words.slice(0, index + 1).join('/'));
  const last = patterns.findLast((pattern) => paths.some((path) => matchesGlob(path, pattern.replace(/^!/, ''))));
  return last?.startsWith('!') !== true;
}

interface Reached {
  readonly files: ReadonlySet<string>;
  /** Imported packages, each with the file that imports it. */
  readonly packages: ReadonlyMap<string, string>;
}

/** Follows the imports of a program from file to file. */
function follow(entry: string): Reached {
  const files = new Set<string>();
  const packages = new Map<string, string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    if (!/\.m?[jt]s$/.test(file) || !existsSync(join(root, file))) continue;
    for (const name of importsOf(readFileSync(join(root, file), 'utf8'))) {
      if (name.startsWith('node:')) continue;
      const found = name.startsWith('.') ? relative(root, resolve(root, dirname(file), name)) : inWorkspace(name);
      if (found === undefined) packages.set(/^(@[^/]+\/[^/]+|[^/]+)/.exec(name)![1]!, file);
      else open.push(found);
    }
  }
  return { files, packages };
}

function importsOf(text: string): string[] {
  const code = text.replaceAll(/^import type [^;]*;/gm, '').replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
  const found = code.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'|new URL\('([^']+\.[mc]?[jt]s)'/g);
  return [...found].map(([, imported, worker]) => imported ?? (worker!.startsWith('.') ? worker! : `./${worker}`));
}

/** The file that a workspace exports under this name; undefined for an installed package. */
function inWorkspace(name: string): string | undefined {
  const [, workspace, rest] = /^(@platform\/[^/]+)(\/.*)?$/.exec(name) ?? [];
  if (workspace === undefined) return undefined;
  const folder = globSync('libs/*/package.json', { cwd: root }).find((file) => {
    return (JSON.parse(readFileSync(join(root, file), 'utf8')) as { name: string }).name === workspace;
  });
  if (folder === undefined) throw new Error(`no workspace is called ${workspace}`);
  const { exports } = JSON.parse(readFileSync(join(root, folder), 'utf8')) as {
    exports: Record<string, string | { default: string }>;
  };
  const wanted = `.${rest ?? ''}`;
  for (const [key, exported] of Object.entries(exports)) {
    const target = typeof exported === 'string' ? exported : exported.default;
    const [before, after] = key.split('*');
    if (key === wanted) return join(dirname(folder), target);
    if (after === undefined || !wanted.startsWith(before!) || !wanted.endsWith(after)) continue;
    const part = wanted.slice(before!.length, wanted.length - after.length);
    return join(dirname(folder), target.replaceAll('*', part));
  }
  throw new Error(`${workspace} does not export ${wanted}`);
}

/** The build generates this folder from copied files. */
const generated = 'libs/proto/src/generated';

describe('images', () => {
  it('has one for each service, for the agent and for the command line', () => {
    const wanted = [...services.map(({ name }) => name), 'cluster-agent', 'cli'];
    expect([...targets.keys()].toSorted()).toEqual(wanted.toSorted());
    for (const [name, app] of targets) expect(app).toBe(name === 'cli' ? 'platform' : name);
  });

  it.each([...targets])('%s holds every file that it imports, and no package of development', (name, app) => {
    const { files, packages } = follow(`apps/${app}/src/main.ts`);
    const own = [...files].filter((file) => !file.startsWith(generated));
    expect(own.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expect(own.filter(isIgnored)).toEqual([]);
    expect(own.filter((file) => !/^(?:libs|apps)\//.test(file))).toEqual([]);
    expect(/COPY --from=sources \/trees\/(\S+) \/$/m.exec(stages.get(name)!)![1]).toBe(name);
    // The tree of the command line contains all apps, the tree of a service only its own.
    expect(own.filter((file) => file.startsWith('apps/') && name !== 'cli' && !file.startsWith(`apps/${app}/`))).toEqual([]);
    const ofDevelopment = [...packages].filter(([imported]) => lock.packages[`node_modules/${imported}`]?.dev === true);
    expect(ofDevelopment).toEqual([]);
    expect(files.size).toBeGreaterThan(20);
  });

  it('hold the migrations, definitions and models beside the sources', () => {
    const beside = globSync('apps/*/{migrations,definitions,model}/*', { cwd: root });
    expect(beside.length).toBeGreaterThan(10);
    expect(beside.filter(isIgnored)).toEqual([]);
  });

  it('hold neither tests nor what only tests need', () => {
    const tests = globSync('{apps,libs}/**/{*.spec.ts,fixtures/*.ts,testdata/*.ts}', {
      cwd: root, exclude: (name) => name === 'node_modules',
    });
    expect(tests.length).toBeGreaterThan(100);
    expect(tests.filter((file) => !isIgnored(file))).toEqual([]);
    expect(isIgnored('libs/testing/src/index.ts')).toBe(true);
    expect(isIgnored('libs/testing/package.json')).toBe(false);
    expect(isIgnored('.platform/secrets/token-key')).toBe(true);
  });
});

describe('deploy/compose', () => {
  interface Container {
    readonly image: string;
    readonly user?: string;
    readonly read_only?: boolean;
    readonly environment?: Readonly<Record<string, string>>;
    readonly volumes?: readonly string[];
  }
  const text = readFileSync(join(root, 'deploy/compose/compose.yaml'), 'utf8');
  const { services: containers } = parse(text, { merge: true }) as { services: Record<string, Container> };

  it('runs every service, with its own secrets and a root that is read-only', () => {
    for (const { name } of services) {
      const { image, volumes, read_only: isReadOnly } = containers[name]!;
      expect(image).toMatch(new RegExp(`/${name}:`));
      expect(volumes!.filter((volume) => volume.startsWith('./'))).toEqual([`./prepared/${name}:/run/platform:ro`]);
      expect(isReadOnly).toBe(true);
    }
  });

  it('names settings that exist, and the address of every service', () => {
    const known = (Object.keys(settings) as SettingKey[]).map(environmentName);
    for (const { name, addresses } of services) {
      const environment = containers[name]!.environment!;
      const names = Object.keys(environment).filter((variable) => variable.startsWith('PLATFORM_'));
      expect(names.filter((variable) => !known.includes(variable))).toEqual([]);
      if (addresses === undefined) continue;
      expect(containers['gateway']!.environment![environmentName(addresses)]).toBe(`${name}:8081`);
    }
  });

  it('pins the version of every image', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    for (const { image } of Object.values(containers)) {
      expect(image).toMatch(/:(?:v?\d+\.\d+(?:\.\d+)?\}|\$\{PLATFORM_VERSION:-)/);
      if (image.includes('PLATFORM_VERSION')) expect(image).toContain(`\${PLATFORM_VERSION:-${version}}`);
    }
  });
});
