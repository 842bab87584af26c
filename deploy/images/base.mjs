// `node deploy/images/base.mjs TAG [--architecture NAME --node FILE]`: makes a base for the images from Debian's
// packages, this Node and npm. Needs root; see README.md. The same packages make the same layer. For another
// architecture of Debian, such as arm64, it needs a Node of that architecture, and an emulator in binfmt_misc: Debian's
// packages run scripts when they are installed.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const suite = 'bookworm';
/** Packages that a minimal Debian does not have. The probe of NATS needs wget. */
const packages = 'ca-certificates,wget';
/** Files that differ in each build or belong to this machine. */
const leftOut = [
  'dev/*', 'proc/*', 'sys/*', 'run/*', 'tmp/*', 'debootstrap',
  'etc/hostname', 'etc/resolv.conf', 'etc/machine-id', 'etc/*-',
  'var/log/*', 'var/cache/*', 'var/lib/apt/lists/*', 'var/lib/dpkg/*-old',
];

const { tag, architecture, node } = readArguments();
const epoch = process.env.SOURCE_DATE_EPOCH ?? '0';
const folder = mkdtempSync(join(tmpdir(), 'platform-base-'));
const env = { ...process.env, SOURCE_DATE_EPOCH: epoch, DOCKER_BUILDKIT: '1' };
const longestMs = 30 * 60_000;
/** Runs a program. Its output goes to standard error, because standard output must contain only the tag. */
const run = (program, ...words) => execFileSync(program, words, { stdio: ['ignore', 2, 2], env, timeout: longestMs });
try {
  const root = join(folder, 'root');
  run('debootstrap', '--arch', architecture, '--variant=minbase', `--include=${packages}`, suite, root);
  run('install', '-m', '755', node, join(root, 'usr/local/bin/node'));
  const modules = join(root, 'usr/local/lib/node_modules');
  mkdirSync(modules, { recursive: true });
  const npm = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());
  cpSync(dirname(dirname(npm)), join(modules, 'npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  const context = join(folder, 'context');
  mkdirSync(context);
  run('tar', '--create', '--file', join(context, 'base.tar'), '--directory', root, '--sort', 'name', '--mtime', `@${epoch}`,
    '--numeric-owner', '--format', 'gnu', ...leftOut.map((path) => `--exclude=./${path}`), '.');
  // Do not use `docker import --platform`: Docker 20.10 labels the image with the architecture of this machine.
  writeFileSync(join(context, 'Dockerfile'), 'FROM scratch\nADD base.tar /\n');
  run('docker', 'build', '--platform', `linux/${architecture}`, '--tag', tag, context);
  console.log(tag);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function readArguments() {
  const own = process.arch === 'x64' ? 'amd64' : process.arch;
  const options = {
    architecture: { type: 'string', default: own },
    node: { type: 'string' },
  };
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [tag, ...more] = positionals;
    if (tag === undefined || more.length > 0) throw new Error('One tag is needed.');
    if (values.node === undefined && values.architecture !== own) throw new Error(`--node must name a Node of ${values.architecture}.`);
    return { tag, architecture: values.architecture, node: values.node ?? process.execPath };
  } catch (error) {
    console.error(`${error.message} Usage: node deploy/images/base.mjs TAG [--architecture NAME --node FILE]`);
    process.exit(2);
  }
}
