import { expect, it } from '@jest/globals';
import { clusterPhase } from './cluster-phase.ts';

const now = new Date('2026-11-22T12:00:00Z');

it.each([
  [null, 'Registered'],
  ['2026-11-22T12:00:05Z', 'Active'],
  ['2026-11-22T11:50:00Z', 'Active'],
  ['2026-11-22T11:49:59Z', 'NotConnected'],
  ['2026-10-23T12:00:00Z', 'NotConnected'],
  ['2026-10-23T11:59:59Z', 'Lost'],
])('a cluster whose last contact was %s is %s', (lastContact, phase) => {
  expect(clusterPhase(lastContact === null ? null : new Date(lastContact), now)).toBe(phase);
});
