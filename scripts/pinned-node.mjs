// The Node on which all commands run: Node 24, pinned by the lock file as an optional dependency. npm itself may run on
// another Node.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const MAJOR = 24;
const VERSION_MILLISECONDS = 10_000;
/** Ctrl-C arrives twice, from the terminal and from npm: two signals within this time count as one. */
const SAME_SIGNAL_MILLISECONDS = 1_000;
const PARENT_CHECK_MILLISECONDS = 500;

/** The path at which npm installs the pinned Node; the package does not exist for every system. */
const pinned = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');

/**
 * Returns the path of a Node that is new enough: the pinned Node, else the running Node, else the first in PATH.
 * @param {{check?: boolean}} options `check`: uses the pinned Node only if it starts. It may need another C library
 * @returns {string | undefined}
 */
export function findNode({ check = false } = {}) {
  if (existsSync(pinned) && (!check || runs(pinned))) return pinned;
  if (Number.parseInt(process.versions.node, 10) >= MAJOR) return process.execPath;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, 'node')).find((file) => existsSync(file) && runs(file));
}

/** The error message if no Node is new enough. */
export function missingNode() {
  const why = existsSync(pinned) ? `the pinned Node (${pinned}) cannot run` : 'npm has not installed the pinned Node';
  return (
    `The platform runs on Node ${MAJOR}: ${why}, and PATH contains no suitable Node (this is ${process.version}). ` +
    `Run "npm ci" without "--omit=optional", or install Node ${MAJOR} or later.`
  );
}

/**
 * Runs a program on the Node that `findNode` returns. Forwards input, output and signals. Then this process ends with
 * the exit code or signal of the program.
 * @param {string} file absolute path, or relative to the current folder
 * @param {string[]} programArguments
 */
export function runOnPinnedNode(file, programArguments) {
  const node = findNode();
  if (node === undefined) {
    console.error(missingNode());
    process.exit(1);
  }
  const child = spawn(node, [file, ...programArguments], { stdio: 'inherit', env: environmentFor(node) });
  child.on('error', (error) => {
    console.error(`${node} could not be started: ${error.message}.`);
    process.exit(1);
  });
  passSignals(child);
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    // Raise the same signal here, so that the caller sees the same end. If this process survives the signal, use
    // the exit code that a shell would use.
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name);
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(128 + constants.signals[signal]), 1_000);
  });
}

function passSignals(child) {
  const passedAt = new Map();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      const now = Date.now();
      if (now - (passedAt.get(signal) ?? -Infinity) < SAME_SIGNAL_MILLISECONDS) return;
      passedAt.set(signal, now);
      child.kill(signal);
    });
  }
  // If npm is killed with SIGKILL, its children continue. So stop the program when the parent of this process is gone.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, PARENT_CHECK_MILLISECONDS);
  watch.unref();
}

/** Returns this process's environment, with the given Node first in PATH and its compile cache in node_modules. */
export function environmentFor(node) {
  const environment = {
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node-compile'),
    ...process.env,
    PATH: [dirname(node), process.env.PATH].filter(Boolean).join(delimiter),
  };
  // NODE_OPTIONS was set for the user's own Node; an option that the pinned Node refuses would prevent its start.
  if (environment.NODE_OPTIONS && !runs(node, environment)) {
    console.error(`NODE_OPTIONS is ignored: ${node} does not start with "${environment.NODE_OPTIONS}".`);
    delete environment.NODE_OPTIONS;
  }
  return environment;
}

/** Whether this Node starts and is new enough. */
function runs(node, environment = { ...process.env, NODE_OPTIONS: '' }) {
  const script = 'process.stdout.write(process.versions.node)';
  const { stdout } = spawnSync(node, ['-e', script], {
    encoding: 'utf8',
    timeout: VERSION_MILLISECONDS,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // Output of preloaded modules comes before the version.
  return Number.parseInt(/(\d+)\.\d+\.\d+$/.exec(stdout ?? '')?.[1] ?? '0', 10) >= MAJOR;
}
