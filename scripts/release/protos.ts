import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Zippable, zipSync } from 'fflate';
import { root } from '../checks/run-command.ts';
import type { Release } from './release.ts';

/** Prefix of generated Go packages. It can be replaced in `buf.gen.yaml` of the archive. */
const goPrefix = 'controlplane.example/gen';

/** Earliest time in a zip archive; zip has no time zones. */
const firstTime = '1980-01-01T00:00:00';

/**
 * Packs our protos and the Google protos as a buf module. Adds a Go package to protos without one. @returns the file
 */
export function zipProtos(release: Release): string {
  const folder = `platform-protos-${release.version}`;
  const files: Zippable = {
    [`${folder}/LICENSE`]: readFileSync(join(root, 'LICENSE')),
    [`${folder}/buf.yaml`]: text('version: v2\nmodules:\n  - path: .\n'),
    [`${folder}/buf.gen.yaml`]: text(generation),
    [`${folder}/README.md`]: text(readme(release.version)),
  };
  for (const source of ['proto', 'libs/proto/vendor']) {
    for (const name of globSync('**/*.proto', { cwd: join(root, source) }).sort()) {
      files[`${folder}/${name}`] = text(withGoPackage(name, readFileSync(join(root, source, name), 'utf8')));
    }
  }
  mkdirSync(release.folder, { recursive: true });
  const file = join(release.folder, `${folder}.zip`);
  writeFileSync(file, zipSync(files, { mtime: firstTime, level: 9 }));
  return file;
}

/** Adds a Go package, such as `orgsv1` for `controlplane/orgs/v1`, unless the proto names a Go package itself. */
function withGoPackage(name: string, content: string): string {
  if (/^option go_package/m.test(content)) return content;
  const folders = name.split('/').slice(0, -1);
  const short = folders.slice(-2).join('').replaceAll(/[^a-z0-9]/g, '');
  const option = `option go_package = "${goPrefix}/${folders.join('/')};${short}";`;
  return content.replace(/^package .*;$/m, (line) => `${line}\n\n${option}`);
}

const generation = `version: v2
managed:
  enabled: true
  disable:
    - file_option: go_package
      path: google
  override:
    # The module of your Go code, and a folder in it.
    - file_option: go_package_prefix
      value: ${goPrefix}
plugins:
  - remote: buf.build/protocolbuffers/go
    out: gen
    opt: paths=source_relative
  - remote: buf.build/grpc/go
    out: gen
    opt: paths=source_relative
`;

function readme(version: string): string {
  return `# The protos of the platform ${version}

\`controlplane/\` contains the services; \`google/\` contains the files that they import. The folder is a module of buf:
\`buf lint\` and \`buf generate\` work in it. For Go, set \`go_package_prefix\` in \`buf.gen.yaml\` to a folder of your module. For other
tools, use the folder as the include path: \`protoc -I. …\`, \`python -m grpc_tools.protoc -I. …\`, \`@grpc/proto-loader\` with \`includeDirs: ['.']\`.
`;
}

function text(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}
