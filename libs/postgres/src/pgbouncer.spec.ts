import { expect, it } from '@jest/globals';
import { findPgBouncer, holding, shareOf } from '@platform/testing';
import * as proof from './pgbouncer.proof.ts';

const isThere = await findPgBouncer() !== undefined;
if (!isThere) process.stdout.write('PgBouncer is not tried: Debian has it in the package pgbouncer.\n');

(isThere ? it : it.skip)('works behind PgBouncer in session mode', async () => {
  expect(await shareOf(proof, 0.04)).toEqual(holding);
});
