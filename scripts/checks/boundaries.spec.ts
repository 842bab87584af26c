import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';

import { root } from './run-command.ts';

const boundary = '@nx/enforce-module-boundaries';
const restricted = 'no-restricted-imports';

/** The library that may import each package, and a project that may not. */
const doors = [
  ['@grpc/grpc-js', 'libs/rpc', 'apps/gateway'],
  ['grpc-health-check', 'libs/rpc', 'libs/service'],
  ['@bufbuild/protobuf', 'libs/surface', 'apps/gateway'],
  ['pg', 'libs/postgres', 'apps/orgs-teams'],
  ['knex', 'libs/postgres', 'libs/testing'],
  ['@nats-io/jetstream', 'libs/bus', 'apps/clusters'],
  ['pino', 'libs/service', 'libs/rpc'],
  ['prom-client', 'libs/service', 'apps/authz'],
  ['@opentelemetry/api', 'libs/service', 'libs/rpc'],
  ['express', 'libs/http', 'libs/service'],
  ['busboy', 'libs/rest', 'apps/platform'],
  ['@openfga/sdk', 'apps/authz', 'apps/orgs-teams'],
  ['commander', 'apps/platform', 'apps/e2e'],
  ['sharp', 'apps/orgs-teams', 'apps/authz'],
] as const;

interface Case {
  file: string;
  text: string;
  breaks: readonly string[];
}

const cases: Case[] = [
  ...doors.flatMap(([name, home, elsewhere]): Case[] => [
    { file: `${home}/src/made-up.ts`, text: `import '${name}';\n`, breaks: [] },
    { file: `${elsewhere}/src/made-up.ts`, text: `import '${name}';\n`, breaks: [boundary] },
    { file: `${elsewhere}/src/made-up.ts`, text: `export const late = import('${name}');\n`, breaks: [boundary] },
    { file: `${elsewhere}/src/made-up.ts`, text: `export type { Any } from '${name}';\n`, breaks: [boundary] },
    { file: `${elsewhere}/src/made-up.ts`, text: `import '${name}/inside.js';\n`, breaks: [boundary] },
    { file: `${elsewhere}/src/made-up.spec.ts`, text: `import '${name}';\n`, breaks: [boundary] },
  ]),
  ...['fast-check', 'testcontainers'].flatMap((name): Case[] => [
    { file: 'libs/surface/src/made-up.ts', text: `import '${name}';\n`, breaks: [boundary] },
    { file: 'libs/surface/src/made-up.spec.ts', text: `import '${name}';\n`, breaks: [] },
    { file: 'apps/e2e/proofs/made-up.proof.ts', text: `import '${name}';\n`, breaks: [] },
    { file: 'libs/testing/src/made-up.ts', text: `import '${name}';\n`, breaks: [] },
  ]),
  { file: 'apps/gateway/src/made-up.ts', text: 'import \'@platform/app-authz\';\n', breaks: [restricted] },
  { file: 'libs/bus/src/made-up.ts', text: 'import \'@platform/app-gateway/src/main.ts\';\n', breaks: [restricted] },
  { file: 'apps/e2e/src/made-up.spec.ts', text: 'import \'@platform/cli\';\n', breaks: [restricted] },
  { file: 'apps/gateway/src/made-up.ts', text: 'import \'../../authz/src/main.ts\';\n', breaks: [boundary] },
  { file: 'libs/bus/src/made-up.ts', text: 'import \'../../../apps/authz/src/main.ts\';\n', breaks: [boundary] },
  { file: 'libs/bus/src/made-up.ts', text: 'import \'../../faults/src/fault.ts\';\n', breaks: [boundary] },
  { file: 'libs/http/src/made-up.ts', text: 'import \'@platform/rpc\';\n', breaks: [restricted] },
  { file: 'libs/rest/src/made-up.ts', text: 'import \'@platform/rpc\';\n', breaks: [] },
  { file: 'apps/authz/src/made-up.ts', text: 'import \'@platform/testing\';\n', breaks: [restricted] },
  { file: 'apps/authz/src/made-up.spec.ts', text: 'import \'@platform/testing\';\n', breaks: [] },
  { file: 'apps/authz/src/made-up.ts', text: 'import \'@platform/surface\';\n', breaks: [] },
  { file: 'apps/authz/src/made-up.ts', text: 'export default 1;\n', breaks: ['no-restricted-syntax'] },
  { file: 'apps/e2e/src/made-up.ts', text: 'await fetch(address);\n', breaks: ['platform/documented-http'] },
  {
    file: 'apps/e2e/faults/made-up.proof.ts',
    text: 'import { http as ask } from \'@platform/testing\';\nask(address);\n',
    breaks: ['platform/documented-http'],
  },
  { file: 'apps/e2e/src/made-up.ts', text: 'documentedHttp(address).get(path);\n', breaks: [] },
  { file: 'apps/e2e/src/tls.spec.ts', text: 'export {};\n', breaks: ['platform/documented-http'] },
  { file: 'apps/authz/src/MadeUp.ts', text: 'export {};\n', breaks: ['platform/kebab-case-file'] },
  { file: 'apps/authz/src/made-up.ts', text: 'process.exit(1);\n', breaks: ['no-restricted-properties'] },
  { file: 'apps/authz/src/made-up.ts', text: 'process.env;\n', breaks: ['no-restricted-properties'] },
  { file: 'apps/authz/src/config.ts', text: 'process.env;\n', breaks: [] },
  {
    file: 'apps/authz/src/made-up.spec.ts',
    text: 'await new Promise((resolve) => setTimeout(resolve, 5));\n',
    breaks: ['no-restricted-syntax'],
  },
];

describe('the boundaries of the house', () => {
  let broken: string[][];

  beforeAll(() => {
    // ESLint runs outside jest, as `npm run lint` runs it.
    const output = execFileSync(process.execPath, [join(import.meta.dirname, 'lint-texts.ts')], {
      cwd: root,
      input: JSON.stringify(cases),
      encoding: 'utf8',
    });
    broken = JSON.parse(output) as string[][];
  }, 120_000);

  it.each(cases.map((one, index) => ({ ...one, index })))('$file with $text breaks $breaks', ({ index, breaks }) => {
    // An app that exports something breaks both rules.
    expect(broken[index]).toEqual(breaks.length === 0 ? [] : expect.arrayContaining([...breaks]));
  });
});
