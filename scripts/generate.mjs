// Makes everything that follows from proto/: the descriptor image and the TypeScript of libs/proto. Run by
// scripts/prepare.mjs when proto/ changed, and by hand as `npm run generate`. `--baseline` renews the image that
// `buf breaking` compares with: do that only in the change that releases an API.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const generated = join(root, 'libs/proto/src/generated');
const vendored = join(generated, 'google-api');

function buf(...args) {
  execFileSync(process.execPath, [join(root, 'node_modules/@bufbuild/buf/bin/buf'), ...args], {
    cwd: root,
    stdio: 'inherit',
  });
}

rmSync(generated, { recursive: true, force: true });
mkdirSync(vendored, { recursive: true });
const files = [
  'google/api/annotations.proto',
  'google/api/http.proto',
  'google/api/httpbody.proto',
  'google/rpc/code.proto',
  'google/rpc/status.proto',
  'google/rpc/error_details.proto',
];
for (const file of files) {
  cpSync(join(root, 'node_modules/google-proto-files', file), join(vendored, file));
}

buf('build', '-o', 'libs/proto/src/generated/image.binpb');
buf('generate');
// The options themselves once more, as the typed extensions libs/surface reads the image with.
const extensions = {
  version: 'v2',
  plugins: [
    {
      local: [process.execPath, join(root, 'node_modules/@bufbuild/protoc-gen-es/bin/protoc-gen-es')],
      out: 'libs/proto/src/generated/options',
      opt: ['target=js+dts', 'import_extension=js'],
    },
  ],
};
buf(
  ...['generate', '--template', JSON.stringify(extensions)],
  ...['platform/options.proto', 'platform/reason.proto'].flatMap((file) => ['--path', join('proto', file)]),
  ...files.flatMap((file) => ['--path', join('libs/proto/src/generated/google-api', file)]),
);
if (process.argv.includes('--baseline')) {
  buf('build', '--exclude-source-info', '--path', 'proto/platform', '-o', 'proto/baseline.binpb');
}
