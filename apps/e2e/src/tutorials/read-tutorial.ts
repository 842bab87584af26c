import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@platform/testing';

/** A block of commands with the lines that the page says they print. */
export interface Step {
  /** The heading above the block. */
  readonly title: string;
  readonly commands: string;
  /** Lines of the output, in their order; `…` stands for any text. */
  readonly prints: readonly string[];
  /**
   * What the commands need besides the API of a platform: `launcher`, one that `npm start` has started; `cluster`,
   * Kubernetes with the files of a release. `settings` are lines in which readers write values of their own.
   */
  readonly needs?: 'launcher' | 'cluster' | 'settings';
}

export interface Tutorial {
  readonly name: string;
  readonly steps: readonly Step[];
}

const folder = join(repositoryRoot, 'docs/tutorials');

/** The tutorials of docs/tutorials, by name, without the blocks that only start a platform. */
export function readTutorials(): Tutorial[] {
  return readdirSync(folder).filter((file) => file !== 'README.md').toSorted().map((file) => {
    return { name: file.replace('.md', ''), steps: stepsOf(readFileSync(join(folder, file), 'utf8')) };
  });
}

/** @throws Error if a block of output follows no block of commands */
export function stepsOf(page: string): Step[] {
  const steps: Step[] = [];
  let title = '';
  for (const [, heading, language, block = ''] of page.matchAll(/^#+ (.*)$|^```(.*)\n([^]*?)^```$/gm)) {
    const before = steps.at(-1);
    if (heading !== undefined) {
      title = heading;
    } else if (/^sh\b/.test(language!) && block.trim() !== 'npm start') {
      const needs = language!.slice('sh '.length) as '' | NonNullable<Step['needs']>;
      steps.push({ title, commands: block, prints: [], ...(needs === '' ? {} : { needs }) });
    } else if (language === 'text') {
      if (before === undefined || before.prints.length > 0) throw new Error(`${title}: output without commands`);
      steps[steps.length - 1] = { ...before, prints: block.trimEnd().split('\n') };
    }
  }
  return steps;
}
