// Lints texts that are not in files. Reads `[{file, text}]` from standard input. Prints the broken rules of each text.
// Both are JSON.
import { text as readAll } from 'node:stream/consumers';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

import { root } from './run-command.ts';

const eslint = new ESLint({
  cwd: root,
  // These texts belong to no TypeScript program, so rules that need types are disabled.
  overrideConfig: [{ files: ['**/*.ts'], ...tseslint.configs.disableTypeChecked }],
});
const texts = JSON.parse(await readAll(process.stdin)) as { file: string; text: string }[];
const broken: string[][] = [];
for (const { file, text } of texts) {
  const [result] = await eslint.lintText(text, { filePath: file });
  broken.push((result?.messages ?? []).map(({ ruleId, message }) => ruleId ?? message));
}
process.stdout.write(JSON.stringify(broken));
