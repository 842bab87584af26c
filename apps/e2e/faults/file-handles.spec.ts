import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './file-handles.proof.ts';

it('who is connected is served when file handles run out (a share of the proof file-handles)', async () => {
  expect(await shareOf(proof, 0.1)).toEqual(holding);
}, 600_000);
