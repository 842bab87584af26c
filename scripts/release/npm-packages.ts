import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from '../checks/run-command.ts';
import { command } from './command.ts';
import { noticesOf } from './notices.ts';
import { type Release, workFolder } from './release.ts';

/** The oldest Node that the packages support. */
const oldestNode = 20;

/**
 * Packs `@platform/client`: modules with types, and one file for browsers. It has no dependencies. @returns the file
 */
export async function packClient(release: Release): Promise<string> {
  const folder = workFolder(release, 'client');
  const source = join(root, 'libs/client/src');
  command(process.execPath, [
    join(root, 'node_modules/typescript7/bin/tsc'), '--ignoreConfig',
    '--outDir', join(folder, 'dist'), '--rootDir', source, '--declaration', '--rewriteRelativeImportExtensions',
    '--strict', '--exactOptionalPropertyTypes', '--verbatimModuleSyntax',
    '--module', 'nodenext', '--target', 'es2023', '--lib', 'esnext,dom,dom.iterable', '--types', '',
    join(source, 'index.ts'),
  ]);
  // The compiler changes the names of imported files only in code, not in types.
  for (const file of globSync(join(folder, 'dist/**/*.d.ts'))) {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, '$1.js\''));
  }
  const input = join(source, 'index.ts');
  const bundle = await rolldown({ input, platform: 'browser', transform: { target: 'es2022' } });
  await bundle.write({ file: join(folder, 'dist/browser.js'), format: 'esm', minify: true });
  cpSync(join(root, 'libs/client/README.md'), join(folder, 'README.md'));
  return pack(release, folder, {
    name: '@platform/client',
    description: 'The REST API of the platform for TypeScript and JavaScript',
    sideEffects: false,
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './browser': { types: './dist/index.d.ts', default: './dist/browser.js' },
    },
  });
}

/** Packs `@platform/cli`: the commands for users and operators, with their dependencies. @returns the file */
export async function packCli(release: Release): Promise<string> {
  const folder = workFolder(release, 'cli');
  const bundle = await rolldown({
    input: join(root, 'apps/platform/src/package-main.ts'),
    platform: 'node',
    transform: {
      target: `node${oldestNode}`,
      // CommonJS packages find their own folder by these names.
      define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' },
    },
    plugins: [{
      name: 'version',
      // In a clone the version comes from a file that the package does not contain.
      load: (id) => id.endsWith('/libs/service/src/version.ts')
        ? `export const platformVersion = ${JSON.stringify(`v${release.version}`)};`
        : undefined,
    }],
  });
  const { output } = await bundle.write({ dir: join(folder, 'dist'), format: 'esm' });
  mkdirSync(join(folder, 'dist/generated'));
  cpSync(join(root, 'libs/proto/src/generated/image.binpb'), join(folder, 'dist/generated/image.binpb'));
  mkdirSync(join(folder, 'bin'));
  const start = '#!/usr/bin/env node\nimport \'../dist/package-main.js\';\n';
  writeFileSync(join(folder, 'bin/platform.mjs'), start, { mode: 0o755 });
  const used = output.flatMap((one) => one.type === 'chunk' ? one.moduleIds : []);
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES'), noticesOf(used));
  cpSync(join(root, 'apps/platform/README.md'), join(folder, 'README.md'));
  const manual = join(folder, 'man');
  mkdirSync(manual);
  command(process.execPath, [
    join(root, 'apps/platform/src/reference/write-pages.ts'), manual, String(release.epoch),
  ]);
  return pack(release, folder, {
    name: '@platform/cli',
    description: 'The command line of the platform',
    bin: { platform: './bin/platform.mjs' },
    man: readdirSync(manual).sort().map((file) => `./man/${file}`),
  });
}

/** Packs a folder with npm, which sets the same time for all files. @returns the file */
function pack(release: Release, folder: string, manifest: Readonly<Record<string, unknown>>): string {
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const whole = {
    ...manifest,
    version: release.version,
    license: 'Apache-2.0',
    type: 'module',
    engines: { node: `>=${oldestNode}` },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(whole, undefined, 2)}\n`);
  const target = join(release.folder, 'npm');
  mkdirSync(target, { recursive: true });
  const told = command('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', target], { folder });
  const [{ filename }] = JSON.parse(told) as [{ filename: string }];
  return join(target, filename);
}
