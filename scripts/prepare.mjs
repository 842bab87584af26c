// Prepares the clone for a command such as `npm start`: installs the locked packages, finds a suitable Node, links the
// `platform` command, generates code from proto/ and builds the console. Skips what is up to date. This script runs on
// Node 20 or later and needs no installed packages.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { consoleInputs, consoleStamp } from './prepare/console.mjs';
import { generatedInputs, generatedStamp } from './prepare/generated.mjs';
import { installedInputs, installedStamp, installedAsLocked } from './prepare/installed.mjs';
import { exclusively } from './prepare/lock.mjs';
import { fail, runStep } from './prepare/step.mjs';
import { warmGo } from './prepare/warm-go.mjs';
import { environmentFor, findNode, missingNode, root } from './pinned-node.mjs';

const OLDEST = 20;

// `npx platform` finds the command of this clone through `commandLink`. An earlier install may not have made this link.
const command = join(root, 'apps', 'platform', 'bin', 'platform.mjs');
const commandLink = join(root, 'node_modules', '.bin', 'platform');

if (Number.parseInt(process.versions.node, 10) < OLDEST) {
  fail(`Node ${OLDEST} or later is needed; this is ${process.version}.`, 'Install a newer one: https://nodejs.org');
}
if (!upToDate()) await exclusively(prepare);

function upToDate() {
  return packagesCurrent() && linked() && generatedCurrent() && consoleCurrent();
}

async function prepare() {
  if (!packagesCurrent()) await install();
  const node = findNode({ check: true });
  if (node === undefined) fail(missingNode());
  link();
  if (!generatedCurrent()) await generate(node);
  if (!consoleCurrent()) await buildConsole(node);
}

function packagesCurrent() {
  return readStamp(installedStamp) === installedInputs();
}

function generatedCurrent() {
  return readStamp(generatedStamp) === generatedInputs();
}

function consoleCurrent() {
  return readStamp(consoleStamp) === consoleInputs();
}

async function install() {
  const inputs = installedInputs();
  if (!installedAsLocked()) {
    rmSync(installedStamp, { force: true });
    warmGo();
    await runStep('Installing the locked packages', process.execPath, [npmProgram(), ...npmArguments()], {
      explain: explainNpm,
    });
  }
  writeStamp(installedStamp, inputs);
}

/** Returns the path of `npm-cli.js`. Prefers the npm that runs this script. Otherwise, searches the usual folders. */
function npmProgram() {
  const running = process.env.npm_execpath;
  if (running !== undefined && basename(running).startsWith('npm-cli') && existsSync(running)) return running;
  const places = [
    join(dirname(dirname(process.execPath)), 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    '/usr/share/nodejs/npm/bin/npm-cli.js',
  ];
  return (
    places.find((place) => existsSync(place)) ??
    fail('npm was not found in the usual folders.', 'Run the command through npm: npm start, npm test.')
  );
}

/**
 * Returns the arguments for npm. `--include` and `--engine-strict=false` override settings of the user that would
 * prevent the installation of a package.
 */
function npmArguments() {
  return [
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--engine-strict=false',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--loglevel=error',
  ];
}

function explainNpm(output) {
  if (/EACCES|EROFS|EPERM/.test(output)) {
    const cache = /(?:path|dest)\s+(\S*_cacache\S*)/.exec(output)?.[1];
    return cache !== undefined || /_cacache|cache folder contains root-owned/.test(output)
      ? `npm cannot write to its cache${cache ? ` (${cache})` : ''}: set npm_config_cache to another folder.`
      : `npm cannot write a file: run npm as the owner of ${root}, and make this folder writable.`;
  }
  if (/ENOSPC/.test(output)) return 'The disk is full: free some space.';
  if (/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ECONNRESET|network/.test(output)) {
    return 'The package registry cannot be reached: check the network, a proxy (HTTPS_PROXY), or npm_config_registry.';
  }
  if (/can only install packages when your package.json and package-lock.json/.test(output)) {
    return 'package.json and package-lock.json do not agree: run "npm install" and keep the new lock file.';
  }
  return 'Run "npm ci" to see more.';
}

function linked() {
  return existsSync(commandLink) && (statSync(command).mode & 0o111) !== 0;
}

function link() {
  try {
    if ((statSync(command).mode & 0o111) === 0) chmodSync(command, 0o755);
    if (existsSync(commandLink)) return;
    // `existsSync` is also false for a link to a missing file. Remove such a link.
    rmSync(commandLink, { force: true });
    mkdirSync(dirname(commandLink), { recursive: true });
    symlinkSync(join('..', '..', 'apps', 'platform', 'bin', 'platform.mjs'), commandLink);
  } catch (error) {
    fail(`The platform command could not be set up: ${error.message}.`, `Run npm as the owner of ${root}.`);
  }
}

async function generate(node) {
  const inputs = generatedInputs();
  await runStep('Generating code from proto/', node, [join(root, 'scripts', 'generate.mjs')], {
    environment: environmentFor(node),
    explain: () => 'Run "npm run generate" to see more.',
  });
  writeStamp(generatedStamp, inputs);
}

async function buildConsole(node) {
  const inputs = consoleInputs();
  const nx = join(root, 'node_modules', 'nx', 'dist', 'bin', 'nx.js');
  await runStep('Building the console', node, [nx, 'build', 'console'], {
    environment: { ...environmentFor(node), NX_DAEMON: 'false' },
    explain: () => 'Run "npx nx build console" to see more.',
  });
  writeStamp(consoleStamp, inputs);
}

function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function writeStamp(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
