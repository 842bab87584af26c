// Checks docs/openapi.json against Redocly's strict rules, with the changes below, and prints the violations.
import { createConfig, formatProblems, lint } from '@redocly/openapi-core';
import { join } from 'node:path';

import { root } from './run-command.ts';

/** Rules that are disabled, each with its reason. */
const off: Record<string, string> = {
  'operation-2xx-response': 'some routes only redirect a browser (302)',
  'no-ambiguous-paths': 'a fixed segment wins over a parameter in its place, so no path is ambiguous (open-points 1.2)',
  'no-http-verbs-in-paths': 'the spec defines such paths, for example `/orgs/{orgname}/avatar/delete`',
};

/** Rules in addition to `recommended-strict`. */
const added = {
  'operation-description': 'error',
  'parameter-description': 'error',
  'operation-operationId': 'error',
  'operation-singular-tag': 'error',
  'operation-tag-defined': 'error',
  'tags-alphabetical': 'error',
  'tag-description': 'error',
  'no-invalid-media-type-examples': 'error',
  'no-invalid-parameter-examples': 'error',
  'no-invalid-schema-examples': 'error',
  'response-contains-header': { severity: 'error', names: { '2xx': ['X-Request-Id'], '4xx': ['X-Request-Id'] } },
} as const;

const config = await createConfig({
  extends: ['recommended-strict'],
  rules: { ...added, ...Object.fromEntries(Object.keys(off).map((rule) => [rule, 'off' as const])) },
});
const problems = await lint({ ref: join(root, 'docs/openapi.json'), config });
if (problems.length > 0) {
  formatProblems(problems, { format: 'codeframe', totals: { errors: problems.length, warnings: 0, ignored: 0 } });
  process.exitCode = 1;
}
