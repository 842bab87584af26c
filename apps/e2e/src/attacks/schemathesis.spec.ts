import { expect, test } from '@jest/globals';
import { ownBus } from '@platform/testing';
import { startPlatform } from '../platform.ts';
import { attackWorld } from './attack-world.ts';
import { findSchemathesis } from './schemathesis.ts';

const schemathesis = await findSchemathesis((line) => process.stdout.write(`${line}\n`));

(schemathesis ? test : test.skip)('what Schemathesis makes of the document is answered as documented, and never by a mistake of ours', async () => {
  const platform = await startPlatform({ settings: (await ownBus()).settings });
  const { tokens } = await attackWorld(platform);
  const { cases, failures } = await schemathesis!({
    ...{ baseUrl: platform.baseUrl, token: tokens.owner!, seed: 1, maxExamples: 2 },
    known: { 'path.orgname': 'acme', 'query.org': 'acme' },
  });
  expect(failures).toEqual([]);
  expect(cases).toBeGreaterThan(500);
}, 600_000);
