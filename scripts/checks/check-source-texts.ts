// Prints the findings of `source-texts.ts` in the texts of this repository.
import { root } from './run-command.ts';
import { sourceTextFindings } from './source-texts.ts';

const findings = await sourceTextFindings(root);
for (const finding of findings) console.log(finding);
if (findings.length > 0) process.exitCode = 1;
