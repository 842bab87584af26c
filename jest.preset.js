import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';

const root = import.meta.dirname;
const harness = join(root, 'libs/testing/src/jest');

/** How every spec is run: Node loads it and strips its types, as it does when the product runs (runtime.js). */
export const preset = {
  testEnvironment: `${harness}/environment.js`,
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/generated/'],
  modulePathIgnorePatterns: ['<rootDir>/.*/\\.platform/'],
  injectGlobals: false,
  runtime: `${harness}/runtime.js`,
  transform: {},
};

/** Which files this run takes (`Stage` of scripts/specs/run-jest.ts). */
const stage = process.env['PLATFORM_TEST_STAGE'] ?? 'all';

/**
 * The project of one workspace: its Nx name is its jest name, so `--selectProjects rpc` runs the specs of libs/rpc.
 * Servers are kept for a run when one of its projects says that it needs some (`metadata.servers` of its project.json);
 * `metadata.lab` names the specs that need the Kubernetes lab.
 */
function project(directory) {
  const { name, metadata } = JSON.parse(readFileSync(join(root, directory, 'project.json'), 'utf8'));
  const servers = metadata?.servers ?? [];
  const lab = metadata?.lab ?? [];
  return {
    ...preset,
    displayName: name,
    rootDir: join(root, directory),
    ...(stage === 'servers' && { testPathIgnorePatterns: [...preset.testPathIgnorePatterns, ...lab] }),
    ...(stage === 'lab' && { testMatch: lab.map((start) => `**/${start}{*,**/*}.spec.ts`) }),
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
    .filter(({ globalSetup, testMatch }) => {
      if (stage === 'all') return true;
      if (stage === 'lab') return testMatch.length > 0;
      return (globalSetup === undefined) === (stage === 'no-servers');
    });
}

function below(parent) {
  return readdirSync(join(root, parent)).sort().map((name) => join(parent, name));
}
