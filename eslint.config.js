import tseslint from 'typescript-eslint';

import { boundaries } from './eslint.boundaries.js';
import { platformPlugin } from './eslint.rules.js';

const noDefaultExport = {
  selector: 'ExportDefaultDeclaration',
  message: 'Exports have names; a default export has as many as it has readers.',
};
const noSleep = {
  selector: 'NewExpression[callee.name="Promise"] CallExpression[callee.name="setTimeout"]',
  message: 'Tests wait for what they need: `until` of @platform/testing.',
};

/** Who in the end-to-end tests asks over HTTP without holding the answer against the OpenAPI document, and why. */
const plainHttp = {
  'apps/e2e/src/documented.ts': 'what holds it against the document',
  'apps/e2e/src/admin-http.ts': 'the port for operators is not in the document',
  'apps/e2e/src/tls.spec.ts': 'plain text where TLS is spoken has no answer',
  'apps/e2e/src/metricsproxy/hook.spec.ts': 'the document has no path without its last parameter',
  'apps/e2e/src/metricsproxy/metrics-world.ts': 'what backends answer is not in the document',
  'apps/e2e/src/metricsproxy/known.spec.ts': 'what backends answer is not in the document',
  'apps/e2e/src/metricsproxy/proxy.spec.ts': 'what backends answer is not in the document',
  'apps/e2e/src/metricsproxy/attacks.spec.ts': 'what backends answer is not in the document',
  'apps/e2e/src/metricsproxy/open-dashboard.ts': 'asks Grafana and Perses',
  'apps/e2e/src/metricsproxy/real-servers.spec.ts': 'asks nginx',
  'apps/e2e/src/observability/prometheus.ts': 'asks Prometheus',
  'apps/e2e/src/orgs/at-provider.ts': 'asks a provider of OpenID Connect',
  'apps/e2e/src/usage/namespace-reports.proof.ts': 'times the platform alone; its first answer is held against it',
  'apps/e2e/proofs/authorization/engine-check.ts': 'asks OpenFGA',
  'apps/e2e/proofs/authorization/lying-engine.ts': 'asks OpenFGA',
};

export default [
  {
    ignores: [
      '**/node_modules/', '**/generated/', '**/generated-*/', '**/.platform/', '.nx/',
      'coverage/', 'apps/*/dist/', 'apps/e2e/clients/',
    ],
  },
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
  },
  {
    files: ['**/*.{ts,tsx,js,mjs}'],
    plugins: { platform: platformPlugin },
    rules: {
      'platform/kebab-case-file': 'error',
      'max-lines': ['warn', 300],
      'max-len': ['error', { code: 120, ignoreUrls: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true }],
      'eqeqeq': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'object-shorthand': 'error',
      'no-restricted-syntax': ['error', noDefaultExport],
    },
  },
  {
    // A tool's configuration is the tool's to shape.
    files: ['*.config.js', '**/*.config.{js,ts}', 'libs/testing/src/jest/*.js'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // Rules that need types are oxlint's (.oxlintrc.json).
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parser: tseslint.parser },
  },
  {
    // A library or a service writes to its log, ends by returning, and is told its settings.
    files: ['libs/**/*.ts', 'apps/**/*.{ts,tsx}'],
    ignores: ['**/*.spec.ts', '**/*.proof.ts', 'apps/platform/**', 'apps/e2e/**', 'libs/testing/**', 'libs/backing/**'],
    rules: {
      'no-console': 'error',
      'no-restricted-properties': ['error',
        { object: 'process', property: 'exit', message: 'Release what is held and return; set process.exitCode.' },
        { object: 'process', property: 'env', message: 'config.ts is the only reader of the environment.' },
      ],
    },
  },
  {
    files: ['libs/service/src/**/*.ts', '**/src/config.ts', '**/src/main.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['**/*.spec.ts', '**/*.proof.ts'],
    rules: {
      'no-restricted-syntax': ['error', noDefaultExport, noSleep],
      // A row of a table of cases reads best on one line, and the cases of one method stay in one file.
      'max-len': ['error', { code: 160, ignoreUrls: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true }],
      'max-lines': 'off',
    },
  },
  {
    files: ['apps/e2e/**/*.ts'],
    rules: { 'platform/documented-http': ['error', plainHttp] },
  },
  ...boundaries,
];
