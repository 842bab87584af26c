import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { eventJson, type SpecEvent, subjectOf } from '../fixtures/events.ts';
import { readEvent } from './member-event.ts';

const product = 'productdb';
const usual = eventJson(product, { uid: 'a' });
const long = 'x'.repeat(513);
const withData = (data: object) => ({ ...usual, data: { ...usual.data, ...data } });
const withResourceId = (resourceId: object) => withData({ resourceID: { ...usual.data.resourceID, ...resourceId } });
const withObject = (event: Partial<SpecEvent>) => eventJson(product, { uid: 'a', ...event });

it.each<[string, object]>([
  ['source is missing, empty or not a text', { ...usual, source: undefined }],
  ['id is missing, empty or not a text', { ...usual, id: 7 }],
  ['subject is longer than 512 bytes', { ...usual, subject: long }],
  ['time is missing, empty or not a text', { ...usual, time: 7 }],
  ['time is not an RFC3339 time: yesterday', { ...usual, time: 'yesterday' }],
  ['data is missing or not an object', { ...usual, data: [] }],
  ['data.licenseID is longer than 512 bytes', withData({ licenseID: long })],
  ['the licence in source is longer than 512 bytes', {
    ...withData({ licenseID: '' }), source: `/spec/auditor/${long}/feature/productdb/group/resource`,
  }],
  ['data.resourceID is missing or not an object', withData({ resourceID: 'pods' })],
  ['data.resourceID.name is missing, empty or not a text', withResourceId({ name: '' })],
  ['data.resourceID.name is longer than 512 bytes', withResourceId({ name: long })],
  ['data.resourceID.group is longer than 512 bytes', withResourceId({ group: long })],
  ['data.resource is missing or not an object', withData({ resource: undefined })],
  ['data.resource.spec.uid is longer than 512 bytes', withObject({ spec: { uid: long } })],
  ['data.resource.spec.name is longer than 512 bytes', withObject({ spec: { name: long } })],
  ['data.resource.metadata.name is longer than 512 bytes', withObject({
    metadata: { name: long }, spec: { name: '' },
  })],
  ['data.resource.spec.apiType.kind is longer than 512 bytes', withObject({ spec: { apiType: { kind: long } } })],
  ['data.resource.spec.namespace.name is longer than 512 bytes', withObject({ namespace: long })],
  ['data.resource.spec.namespace.aceOrgID is longer than 512 bytes', withObject({
    spec: { namespace: { aceOrgID: long } },
  })],
  ['data.resource.spec.totalResource.limits.cpu is not a Kubernetes quantity', withObject({ cpu: 'many' })],
  ['data.resource.spec.totalResource.limits.memory is not between 0 and 2^63 - 1: -1', withObject({ memory: '-1' })],
])('a malformed event is refused with the path: %s', (message, event) => {
  const read = () => readEvent({
    subject: subjectOf(7, randomUUID(), product), data: Buffer.from(JSON.stringify(event)),
  }, 0);
  expect(read).toThrow(expect.objectContaining({ name: 'Malformed', message }));
});

const read = (text: string) => readEvent({ subject: subjectOf(7, randomUUID(), product), data: Buffer.from(text) }, 0);
/** An event whose data is nested in the given number of levels. */
const nested = (levels: number) => JSON.stringify(withData({ deep: 0 }))
  .replace('"deep":0', `"deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`);

it('data may be nested 1,000 levels deep, and no deeper', () => {
  expect(read(nested(1_000)).subject).toBe('a');
  expect(() => read(nested(1_001))).toThrow('data is nested more than 1000 levels deep');
});

it.each([
  ['a NUL', String.raw`\u0000`, false],
  ['the first half of a surrogate pair', String.raw`\uD83D`, false],
  ['the second half of a surrogate pair', String.raw`\ude00`, false],
  ['a whole surrogate pair', String.raw`\ud83d\ude00`, true],
  ['an escaped backslash before u0000', String.raw`\\u0000`, true],
])('%s in a text is stored: %s, %s', (_, escape, isStored) => {
  const text = JSON.stringify(withData({ text: 'here' })).replace('"here"', `"${escape}"`);
  if (isStored) expect(read(text).subject).toBe('a');
  else expect(() => read(text)).toThrow('has a NUL or a lone surrogate in a text');
});

it('the identity of an event does not depend on the order of its keys', () => {
  const one = read(JSON.stringify(withData({ labels: { b: 1, a: [{ z: 1, y: 2 }], 10: 'x', 9: 'y' } })));
  const other = read(JSON.stringify(withData({ labels: { 9: 'y', a: [{ y: 2, z: 1 }], 10: 'x', b: 1 } })));
  expect(other.identity).toEqual(one.identity);
  const changed = read(JSON.stringify(withData({ labels: { 9: 'y', a: [{ y: 2, z: 3 }], 10: 'x', b: 1 } })));
  expect(changed.identity).not.toEqual(one.identity);
});
