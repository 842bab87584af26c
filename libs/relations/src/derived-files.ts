import { join } from 'node:path';
import { expectedRelations } from './expected.ts';
import { modelText } from './model.ts';
import { policyText } from './policy.ts';
import { referenceText } from './reference.ts';

const root = join(import.meta.dirname, '../../..');

/** Generates the text of each committed file that is made from the table of relations. Paths are absolute. */
export function derivedFiles(): { path: string; text: string }[] {
  return [
    { path: join(root, 'apps/authz/model/platform.fga'), text: modelText() },
    { path: join(root, 'apps/authz/policy.golden.md'), text: policyText(expectedRelations) },
    { path: join(root, 'docs/permissions.md'), text: referenceText() },
  ];
}
