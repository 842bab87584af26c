/** Writes docs/configuration.md. A spec fails if the file is not up to date. */
import { writeFileSync } from 'node:fs';
import { settingsReference } from './settings-reference.ts';

writeFileSync(new URL('../../../docs/configuration.md', import.meta.url), settingsReference());
