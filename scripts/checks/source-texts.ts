import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { citationFindings, pathFindings } from './citations.ts';
import { wordingFindings } from './wordings.ts';

interface TextRule {
  pattern: RegExp;
  because: string;
}

/** Texts that must not occur in the repository. */
const rules: readonly TextRule[] = [
  { pattern: /(?<![\w.-])\/(?:work|root|home\/\w{2,}|Users\/\w+)\//, because: 'a path of one machine' },
  { pattern: /(?:\.\.\/)+shared\//, because: 'a path outside the repository' },
  {
    pattern: /"resolved": "https?:|\b(?:registry\.(?:npmjs|yarnpkg)|npm\.pkg|proxy\.golang|files\.pythonhosted)\.\w+/,
    because: 'the host of a package registry; each machine chooses its registry',
  },
  {
    pattern: /\b(?:describe|it|test)(?:\.concurrent)?\.only\b|\b(?:fdescribe|fit)\(/,
    because: 'a focused test hides the others',
  },
  {
    pattern: /^\s*option \([\w.]+\) = \{$|^\s+[\w. ]+ = \d+ \[$/,
    because: 'put the value of a proto option on the line that names the option (ADR 0280)',
  },
  { pattern: /\b(?:TODO|FIXME|XXX)\b/, because: 'open work belongs in an issue' },
];

const skippedFolders = new Set(['node_modules', '.git', '.nx', '.platform', 'generated', 'coverage', 'dist']);
const skippedFiles = new Set(['source-texts.ts', 'source-texts.spec.ts', 'wordings.ts', 'wordings.spec.ts']
  .map((file) => `scripts/checks/${file}`));
const textFile = /(?:\.(?:tsx?|mjs|cjs|js|json|md|ya?ml|proto|sql|fga|tsv|go|mod|sh|py|html|css|txt)|\/run|Dockerfile|LICENSE)$/;

/**
 * Checks the text files below a folder. Finds unwanted texts, and citations of rules or paths that do not exist.
 *
 * @returns the findings as `file:line: reason`, sorted by file
 */
export async function sourceTextFindings(folder: string): Promise<string[]> {
  const findings: string[] = [];
  const citations = citationFindings(folder);
  const exclude = (entry: { name: string }): boolean => skippedFolders.has(entry.name.replace(/^generated-.*/, 'generated'));
  const files = globSync('**/*', { cwd: folder, withFileTypes: true, exclude })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((file) => textFile.test(`/${file}`) && !skippedFiles.has(file))
    .sort();
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8');
    findings.push(...textFindings(file, text), ...citations(file, text), ...pathFindings(folder, file, text));
  }
  return findings;
}

/** Returns the findings of one text. Wordings are not checked in fixtures and in migrations, which have checksums. */
export function textFindings(file: string, text: string): string[] {
  const findings = text.split('\n').flatMap((line, index) =>
    rules.filter(({ pattern }) => pattern.test(line)).map(({ because }) => `${file}:${index + 1}: ${because}`),
  );
  return /\/(?:migrations|fixtures)\//.test(file) ? findings : [...findings, ...wordingFindings(file, text)];
}
