import { spawn } from 'node:child_process';
import { root } from '../pinned-node.mjs';

const EVERY_MILLISECONDS = 10_000;
const KEPT_OUTPUT = 64 * 1024;

/** Prints the failure (`what`) and the cure to standard error. Then ends the process with exit code 1. */
export function fail(what, cure) {
  console.error(cure === undefined ? what : `${what}\n${cure}`);
  process.exit(1);
}

/**
 * Runs a program as a step. Prints the title, then the elapsed time every ten seconds, and finally the total time. If
 * the program fails, prints the last lines of its output and a cure, and ends this process.
 * @param {{environment?: object, explain: (output: string) => string}} options `explain` returns the cure
 */
export async function runStep(title, program, programArguments, { environment = process.env, explain }) {
  const begun = Date.now();
  const seconds = () => Math.round((Date.now() - begun) / 1000);
  console.error(`${title} …`);
  const timer = setInterval(() => console.error(`${title} … ${seconds()} s`), EVERY_MILLISECONDS);
  const { output, end } = await run(program, programArguments, environment);
  clearInterval(timer);
  if (end !== 0) {
    fail(`${title} failed (${end}):\n${output.trim().split('\n').slice(-15).join('\n')}`, explain(output));
  }
  console.error(`${title}: done in ${seconds()} s`);
}

function run(program, programArguments, environment) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(program, programArguments, { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output = (output + text).slice(-KEPT_OUTPUT);
      });
    }
    // Pass signals on to the program, so that the program does not continue in the background.
    const stop = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
    child.on('error', (error) => resolve({ output: error.message, end: 'not started' }));
    child.on('close', (code, signal) => {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, stop);
      resolve({ output, end: signal ?? code });
    });
  });
}
