import { expect, it } from '@jest/globals';
import type { Fault } from '@platform/faults';
import { DeadlineExceeded } from '@platform/service';
import { createCircuitBreaker } from './circuit-breaker.ts';

it('calls nobody who was too slow until the pause is over, then one call for all', async () => {
  let time = 0;
  const breaker = createCircuitBreaker(100, () => time);
  const called: string[] = [];
  const call = (whom: string, act: () => Promise<string>) => breaker.call(whom, () => {
    called.push(whom);
    return act();
  }).catch((error: Error) => (error as Fault).reason ?? error.name);
  const slow = () => Promise.reject<string>(new DeadlineExceeded('it'));
  const answering = () => Promise.resolve('done');
  const refusing = () => Promise.reject<string>(new Error('no'));

  expect(await call('one', refusing)).toBe('Error');
  expect(await call('one', slow)).toBe('DeadlineExceeded');
  expect(await call('one', answering)).toBe('UNAVAILABLE');
  expect(await call('other', answering)).toBe('done');
  expect(called).toEqual(['one', 'one', 'other']);
  time = 100;
  expect(await Promise.all([call('one', slow), call('one', answering)])).toEqual(['DeadlineExceeded', 'UNAVAILABLE']);
  time = 200;
  expect(await call('one', refusing)).toBe('Error');
  expect(await call('one', answering)).toBe('done');
});
