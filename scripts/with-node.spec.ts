import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { environmentFor } from './pinned-node.mjs';

const WITH_NODE = join(import.meta.dirname, 'with-node.mjs');

describe('with-node', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platform with node '));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function run(
    program: string,
    programArguments: string[] = [],
    environment: NodeJS.ProcessEnv = {},
  ): Promise<ChildProcessByStdio<null, Readable, Readable>> {
    const file = join(folder, `${crypto.randomUUID()}.ts`);
    await writeFile(file, program);
    return spawn(process.execPath, [WITH_NODE, file, ...programArguments], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], ...environment },
    });
  }

  it('runs TypeScript on Node 24 with the arguments as they are, and ends with its code', async () => {
    const program = 'console.log(JSON.stringify([process.versions.node, process.argv.slice(2)])); process.exit(7);';
    const child = await run(program, ['a b', '--flag=*', '']);
    const exit = once(child, 'exit');
    const [version, programArguments] = JSON.parse(await text(child.stdout)) as [string, string[]];
    expect(Number.parseInt(version, 10)).toBeGreaterThanOrEqual(24);
    expect(programArguments).toEqual(['a b', '--flag=*', '']);
    expect(await exit).toEqual([7, null]);
  });

  it('ends by the signal that its program ended by', async () => {
    const child = await run("process.kill(process.pid, 'SIGTERM'); setInterval(() => undefined, 1000);");
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  });

  it('passes a signal on, and takes the same one twice within a moment for one', async () => {
    // given
    const child = await run(`
      let count = 0;
      process.on('SIGINT', () => { count += 1; console.log('interrupted'); });
      process.on('SIGTERM', () => { console.log('count', count); process.exit(0); });
      setInterval(() => undefined, 1000);
      console.log('up');
    `);
    const exit = once(child, 'exit');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const nextLine = async (): Promise<string> => (await lines.next()).value as string;
    expect(await nextLine()).toBe('up');

    // when
    child.kill('SIGINT');
    expect(await nextLine()).toBe('interrupted');
    child.kill('SIGINT');
    child.kill('SIGTERM');

    // then
    expect(await nextLine()).toBe('count 1');
    expect(await exit).toEqual([0, null]);
  });

  it('goes without NODE_OPTIONS that the pinned Node does not start with', async () => {
    // The pinned Node runs this spec, too, and would not start with the first option. So the spec sets the option only
    // here.
    const before = process.env['NODE_OPTIONS'];
    process.env['NODE_OPTIONS'] = '--no-such-option';
    try {
      expect(environmentFor(process.execPath)).not.toHaveProperty('NODE_OPTIONS');
      process.env['NODE_OPTIONS'] = '--max-old-space-size=512';
      expect(environmentFor(process.execPath)).toHaveProperty('NODE_OPTIONS', '--max-old-space-size=512');
    } finally {
      if (before === undefined) delete process.env['NODE_OPTIONS'];
      else process.env['NODE_OPTIONS'] = before;
    }
  });

  it('is called with a program', async () => {
    const child = spawn(process.execPath, [WITH_NODE], { stdio: 'ignore' });
    expect(await once(child, 'exit')).toEqual([2, null]);
  });
});
