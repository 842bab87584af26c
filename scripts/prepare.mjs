// Runs before every command, on any Node from version 20, even if nothing is installed yet: installs the locked
// packages, checks the pinned Node, links the `platform` command, generates code from proto/ and builds the console.
// Each part runs only when it has something to do.
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

// `npx platform` finds this clone's command. npm links it too, but not if the command was added after the install.
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

/** The npm that runs this script, or else the one next to this Node. */
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
    fail('npm was not found beside this Node.', 'Run the command through npm: npm start, npm test.')
  );
}

/** The lock file alone decides what is installed: the user's npm settings neither add nor remove packages. */
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
      ? `npm may not write to its cache${cache ? ` (${cache})` : ''}: set npm_config_cache to another folder.`
      : `npm may not write here: start as the user that ${root} belongs to.`;
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
    // `existsSync` above reports a link without a target as absent.
    rmSync(commandLink, { force: true });
    mkdirSync(dirname(commandLink), { recursive: true });
    symlinkSync(join('..', '..', 'apps', 'platform', 'bin', 'platform.mjs'), commandLink);
  } catch (error) {
    fail(`The platform command could not be linked: ${error.message}.`, `Start as the user that ${root} belongs to.`);
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
