// `node deploy/images/build.mjs [OPTIONS] [TARGET…]`: builds images with Docker, by default all of them; see README.md.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const folder = import.meta.dirname;
const root = join(folder, '../..');
const dockerfile = join(folder, 'Dockerfile');

/** The images: stages of the Dockerfile with an entry point. */
const targets = readFileSync(dockerfile, 'utf8').split(/^FROM /m)
  .filter((stage) => /^ENTRYPOINT /m.test(stage))
  .map((stage) => /^.* AS (\S+)/.exec(stage)[1]);

const { values, positionals } = readArguments();
const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const tag = values.version ?? version;

for (const target of positionals.length === 0 ? targets : positionals) {
  const image = `${values.repository}/${target}:${tag}`;
  const { status, error } = spawnSync('docker', [
    'build', root, '--file', dockerfile, '--target', target, '--tag', image,
    '--build-arg', `BASE=${values.base}`,
    ...(values['build-base'] === undefined ? [] : ['--build-arg', `BUILD_BASE=${values['build-base']}`]),
    ...(values.platform === undefined ? [] : ['--platform', values.platform]),
    '--build-arg', `VERSION=${tag}`,
    '--build-arg', `REVISION=${git('rev-parse', 'HEAD')}`,
    '--build-arg', `SOURCE_DATE_EPOCH=${git('log', '-1', '--format=%ct')}`,
    ...(values.npmrc === undefined ? [] : ['--secret', `id=npmrc,src=${values.npmrc}`]),
    ...(values.network === undefined ? [] : ['--network', values.network]),
  ], { stdio: ['ignore', 2, 2], env: { ...process.env, DOCKER_BUILDKIT: '1' } });
  if (error !== undefined) fail(`docker cannot be run: ${error.message}.`, 1);
  if (status !== 0) fail(`${image} was not built.`, 1);
  console.log(image);
}

function readArguments() {
  const options = {
    'base': { type: 'string', default: 'node:24-slim' },
    'build-base': { type: 'string' },
    'platform': { type: 'string' },
    'repository': { type: 'string', default: 'platform' },
    'version': { type: 'string' },
    'npmrc': { type: 'string' },
    'network': { type: 'string' },
  };
  try {
    const read = parseArgs({ options, allowPositionals: true });
    const unknown = read.positionals.filter((name) => !targets.includes(name));
    if (unknown.length > 0) fail(`There is no image ${unknown.join(', ')}. There are: ${targets.join(', ')}.`, 2);
    return read;
  } catch (error) {
    return fail(error.message, 2);
  }
}

function fail(message, code) {
  console.error(message);
  process.exit(code);
}
