import { expect, it } from '@jest/globals';
import { Fault, unavailable } from '@platform/faults';
import { untilAnswered } from './administrator.ts';

const never = new AbortController().signal;

it('a call is repeated while the service is unavailable', async () => {
  let calls = 0;
  const answer = untilAnswered(never, async () => {
    calls += 1;
    if (calls < 3) throw unavailable('orgs-teams');
    return 'answered';
  });
  await expect(answer).resolves.toBe('answered');
  expect(calls).toBe(3);
});

it('a refusal, or the end of the patience, ends the repetition', async () => {
  let calls = 0;
  const refused = untilAnswered(never, async () => {
    calls += 1;
    throw new Fault('UNAUTHENTICATED', 'the token is invalid');
  });
  await expect(refused).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
  expect(calls).toBe(1);
  const patience = new AbortController();
  const away = untilAnswered(patience.signal, async () => {
    patience.abort();
    throw unavailable('orgs-teams');
  });
  await expect(away).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
});
