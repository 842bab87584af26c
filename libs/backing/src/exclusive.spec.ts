import { describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exclusively } from './exclusive.ts';
import { scratchFolder } from './fixtures/scratch.ts';

describe('work under a lock', () => {
  it('runs one after the other', async () => {
    await using scratch = await scratchFolder();
    const lock = join(scratch.path, 'lock');
    const order: string[] = [];
    const holders: number[] = [];
    const work = (name: string) => () => {
      order.push(`${name} begins`);
      return new Promise<void>((resolve) =>
        setImmediate(() => {
          order.push(`${name} ends`);
          resolve();
        }),
      );
    };

    await Promise.all(['a', 'b', 'c'].map((name) => exclusively(lock, work(name), (pid) => holders.push(pid))));

    for (let index = 0; index < order.length; index += 2) {
      expect(order[index + 1]).toBe(order[index]!.replace('begins', 'ends'));
    }
    expect(order).toHaveLength(6);
    expect(new Set(holders)).toEqual(new Set(holders.length > 0 ? [process.pid] : []));
  });

  it('takes over the lock of a process that has ended, also when its pid is another’s now', async () => {
    await using scratch = await scratchFolder();
    const lock = join(scratch.path, 'lock');
    await writeFile(lock, JSON.stringify({ pid: process.pid, identity: 'of an earlier process' }));
    const held: number[] = [];
    await expect(exclusively(lock, async () => 'done', (pid) => held.push(pid))).resolves.toBe('done');
    expect(held).toEqual([]);
  });

  it('is released when the work fails', async () => {
    await using scratch = await scratchFolder();
    const lock = join(scratch.path, 'lock');
    const failure = new Error('failed');
    await expect(exclusively(lock, () => Promise.reject(failure), () => undefined)).rejects.toBe(failure);
    await expect(exclusively(lock, async () => 'done', () => undefined)).resolves.toBe('done');
  });
});
