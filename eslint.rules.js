import { basename, relative } from 'node:path';

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
    'documented-http': {
      meta: {
        type: 'problem',
        docs: { description: 'What the gateway answers is held against the OpenAPI document.' },
        // By file: why it asks without looking into the document.
        schema: [{ type: 'object', additionalProperties: { type: 'string' } }],
        messages: {
          plain: '{{name}} looks at no answer: documentedHttp or documentedFetch of src/documented.ts, adminHttp '
            + 'for the port of operators; what else there is to ask is named in eslint.config.js.',
          unused: 'This file asks nothing the plain way: take it out of eslint.config.js.',
        },
      },
      create(context) {
        const [exceptions] = context.options;
        const isException = Object.hasOwn(exceptions, relative(context.cwd, context.filename));
        const plain = new Set(['fetch']);
        let found = false;
        return {
          'ImportDeclaration[source.value="@platform/testing"] > ImportSpecifier[imported.name="http"]'(node) {
            plain.add(node.local.name);
          },
          CallExpression({ callee }) {
            if (callee.type !== 'Identifier' || !plain.has(callee.name)) return;
            found = true;
            if (!isException) context.report({ node: callee, messageId: 'plain', data: { name: callee.name } });
          },
          'Program:exit'(node) {
            if (isException && !found) context.report({ node, messageId: 'unused' });
          },
        };
      },
    },
  },
};
