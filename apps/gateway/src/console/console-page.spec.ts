import type { IncomingMessage } from 'node:http';
import { expect, it } from '@jest/globals';
import type { WholeAnswer } from '@platform/http';
import { consolePage } from './console-page.ts';

it('names the address of the documents only once they are built', async () => {
  let isBuilt = false;
  const page = consolePage('<title>Platform</title>', { basePath: '/a/path', lacking: [], hasDocs: async () => isBuilt });
  const told = async () => {
    const { body } = await page({ headers: {} } as IncomingMessage) as WholeAnswer;
    return /<meta name="platform-docs" content="([^"]*)">/.exec(String(body))?.[1];
  };
  expect(await told()).toBeUndefined();
  isBuilt = true;
  expect(await told()).toBe('/a/path/docs/');
});
