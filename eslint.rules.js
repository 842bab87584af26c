import { basename } from 'node:path';

const kebabCase = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/;

/** Rules of this repository that no plugin has. */
export const platformPlugin = {
  meta: { name: 'platform' },
  rules: {
    'kebab-case-file': {
      meta: {
        type: 'problem',
        docs: { description: 'One idea per file, named in kebab-case after it.' },
        schema: [],
        messages: { name: 'File names are kebab-case: {{name}}' },
      },
      create(context) {
        return {
          Program(node) {
            const name = basename(context.filename);
            if (!kebabCase.test(name)) {
              context.report({ node, loc: { line: 1, column: 0 }, messageId: 'name', data: { name } });
            }
          },
        };
      },
    },
  },
};
