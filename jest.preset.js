import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';

const root = import.meta.dirname;
const harness = join(root, 'libs/testing/src/jest');

/**
 * How every spec is run: ESM, TypeScript as written (swc only strips the types, as Node does when the product runs),
 * workspace packages found by name through their `exports`.
 */
export const preset = {
  testEnvironment: `${harness}/environment.js`,
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/generated/'],
  modulePathIgnorePatterns: ['<rootDir>/.*/\\.platform/'],
  injectGlobals: false,
  transform: {
    '\\.ts$': ['@swc/jest', {
      swcrc: false,
      jsc: {
        // Node 24 knows everything up to `await using`: nothing is compiled down, stack traces stay true.
        target: 'esnext',
        parser: { syntax: 'typescript' },
        transform: { verbatimModuleSyntax: true },
      },
      sourceMaps: 'inline',
    }],
  },
};

/**
 * The project of one workspace: its Nx name is its jest name, so `--selectProjects rpc` runs the specs of libs/rpc.
 * Servers are kept for a run when one of its projects says that it needs some (`metadata.servers` of its project.json).
 */
function project(directory) {
  const { name, metadata } = JSON.parse(readFileSync(join(root, directory, 'project.json'), 'utf8'));
  const servers = metadata?.servers ?? [];
  return {
    ...preset,
    displayName: name,
    rootDir: join(root, directory),
    ...(servers.length > 0 && {
      globalSetup: `${harness}/global-setup.js`,
      globalTeardown: `${harness}/global-teardown.js`,
    }),
  };
}

/** Every workspace below libs/ and apps/ that says what it is (`project.json`), and the repository's own scripts. */
export function projects() {
  return [...below('libs'), ...below('apps'), 'scripts']
    .filter((directory) => existsSync(join(root, directory, 'project.json')))
    .map(project)
    .filter(({ globalSetup }) => globalSetup === undefined || process.env['PLATFORM_TEST_SERVERS'] !== 'missing');
}

function below(parent) {
  return readdirSync(join(root, parent)).sort().map((name) => join(parent, name));
}
