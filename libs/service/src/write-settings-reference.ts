/** Writes docs/configuration.md; a spec fails when it differs. */
import { writeFileSync } from 'node:fs';
import { settingsReference } from './settings-reference.ts';

writeFileSync(new URL('../../../docs/configuration.md', import.meta.url), settingsReference());
