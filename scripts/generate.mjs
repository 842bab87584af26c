// Generates everything that follows from proto/: the descriptor image and the TypeScript of libs/proto.
// scripts/prepare.mjs runs it when proto/ has changed; `npm run generate` runs it by hand. `--baseline` renews the
// image that `buf breaking` compares with: do that only in the change that releases an API. `--golden` renews the
// reviewed list of routes (apps/e2e/golden/routes.txt) and the generated documents and client (docs/openapi.json,
// docs/permissions.md, docs/grpc.md, docs/errors.md, docs/cli.md, docs/events.md, docs/metrics.md,
// libs/client/src/generated/api.ts).
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAccessTypes } from './prepare/access-types.mjs';

const root = join(import.meta.dirname, '..');
const proto = join(root, 'libs/proto');
const generated = join(proto, 'src/generated');
// Write into a temporary folder and rename it, so that a reader finds either the old or the new code.
const made = join(proto, `src/generated-${process.pid}`);
// google/api and google/rpc are a separate module in buf.yaml.
const vendored = join(proto, 'vendor');
const files = [
  'google/api/annotations.proto',
  'google/api/http.proto',
  'google/api/httpbody.proto',
  'google/rpc/code.proto',
  'google/rpc/status.proto',
  'google/rpc/error_details.proto',
];

function buf(...args) {
  execFileSync(process.execPath, [join(root, 'node_modules/@bufbuild/buf/bin/buf'), ...args], {
    cwd: root,
    stdio: 'inherit',
  });
}

/**
 * Corrects two faults in the decoders that ts-proto generates:
 * - They round the sum of seconds and nanoseconds to the nearest double, so 23:59:59.9999999 becomes the next day. The
 *   corrected decoders cut times to the millisecond.
 * - They assign map entries, so the key `__proto__` sets a prototype and is lost. The corrected decoders keep this key.
 */
function correctDecoders() {
  const [rounded, cut] = ['millis += (t.nanos || 0) / 1_000_000;', 'millis += Math.floor((t.nanos || 0) / 1_000_000);'];
  const assignment = /(message\.\w+|struct\.fields|\bobject)\[(entry\d+\.key|key)\] = (.*);$/gm;
  const setEntry = `
function setEntry<Value>(map: { [key: string]: Value }, key: string, value: Value): void {
  if (key !== "__proto__") map[key] = value;
  else globalThis.Object.defineProperty(map, key, { value, configurable: true, enumerable: true, writable: true });
}
`;
  const corrected = { times: 0, maps: 0 };
  for (const file of globSync(join(made, '**/*.ts'))) {
    const code = readFileSync(file, 'utf8');
    const withTimes = code.replaceAll(rounded, cut);
    const withMaps = withTimes.replace(assignment, 'setEntry($1, $2, $3);');
    if (withTimes !== code) corrected.times += 1;
    if (withMaps !== withTimes) corrected.maps += 1;
    if (withMaps !== code) writeFileSync(file, withMaps === withTimes ? withMaps : withMaps + setEntry);
  }
  if (corrected.times === 0 || corrected.maps === 0) {
    throw new Error('ts-proto decodes times or maps in another way than scripts/generate.mjs expects');
  }
}

for (const file of files) {
  cpSync(join(root, 'node_modules/google-proto-files', file), join(vendored, file));
}
// The standard services, so that reflection lists them too; only the protos of @grpc/reflection are used.
const standard = {
  'grpc/health/v1/health.proto': 'grpc-health-check/proto/health/v1/health.proto',
  'grpc/reflection/v1/reflection.proto': '@grpc/reflection/build/proto/grpc/reflection/v1/reflection.proto',
  'grpc/reflection/v1alpha/reflection.proto': '@grpc/reflection/build/proto/grpc/reflection/v1alpha/reflection.proto',
};
for (const [file, source] of Object.entries(standard)) {
  cpSync(join(root, 'node_modules', source), join(vendored, file));
}
mkdirSync(made, { recursive: true });
buf('build', '-o', join(made, 'image.binpb'));
buf('generate', '-o', made);
// The typed option extensions with which libs/surface reads the image.
const extensions = {
  version: 'v2',
  plugins: [
    {
      local: [process.execPath, join(root, 'node_modules/@bufbuild/protoc-gen-es/bin/protoc-gen-es')],
      out: 'options',
      opt: ['target=js+dts', 'import_extension=js'],
    },
  ],
};
buf(
  ...['generate', '-o', made, '--template', JSON.stringify(extensions)],
  ...['controlplane/options.proto', 'controlplane/reason.proto'].flatMap((file) => ['--path', join('proto', file)]),
  ...files.flatMap((file) => ['--path', join('libs/proto/vendor', file)]),
);
correctDecoders();
await writeAccessTypes(made);
const old = `${made}-old`;
if (existsSync(generated)) renameSync(generated, old);
renameSync(made, generated);
rmSync(old, { recursive: true, force: true });
if (process.argv.includes('--baseline')) {
  buf('build', '--exclude-source-info', '--path', 'proto/controlplane', '-o', 'proto/baseline.binpb');
}
if (process.argv.includes('--golden')) {
  const scripts = [
    'apps/e2e/src/surface/renew-golden.ts', 'libs/openapi/src/renew-committed.ts', 'libs/relations/src/generate.ts',
    'apps/platform/src/reference/write-pages.ts', 'scripts/reference/write-pages.ts',
  ];
  for (const script of scripts) {
    execFileSync(process.execPath, [join(root, script)], { stdio: 'inherit' });
  }
}
