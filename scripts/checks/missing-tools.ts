import { spawnSync } from 'node:child_process';

/** A tool that only parts of the tests need. */
interface Tool {
  name: string;
  command: readonly [string, ...string[]];
  /** What is left out without it. */
  leftOut: string;
  /** Variables any of which make the tool unnecessary. */
  unless: readonly string[];
}

const tools: readonly Tool[] = [
  {
    name: 'Go',
    command: ['go', 'version'],
    leftOut: 'OpenFGA and nats-server can only be found, not built; without them the specs that need them fail',
    unless: [],
  },
];

/** One line for each tool that this machine lacks. */
export function missingTools(): string[] {
  return tools
    .filter(({ command: [program, ...args] }) => spawnSync(program, args, { stdio: 'ignore' }).status !== 0)
    .map(({ name, leftOut }) => `${name} is missing: ${leftOut}.`);
}
