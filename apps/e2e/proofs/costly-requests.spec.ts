import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import { startOrganizations } from '../src/attacks/costly/attacked-world.ts';
import { name, proveOn } from './costly-requests.proof.ts';

it('no shape of a body or message costs too much (a share of the proof costly-requests)', async () => {
  expect(await shareOf({ name, prove: proveOn(startOrganizations) }, 0.0015)).toEqual(holding);
}, 180_000);
