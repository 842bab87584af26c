import { beforeEach, describe, expect, it } from '@jest/globals';
import { everything, Holder } from './holder.ts';
import { leaseRules } from './rules.ts';

const lifetimeMs = 1_000;
const at = (milliseconds: number) => ({ monotonic: milliseconds, wall: 1_000_000 + milliseconds });

let holder: Holder<string>;
beforeEach(() => {
  holder = new Holder({ rules: leaseRules, lifetimeMs, mostBytes: 100 });
  holder.registers('one', at(0));
  holder.registered('one', at(0), at(10));
});

const keep = (question: string, keys: readonly string[], bytes = 10) =>
  holder.answered(holder.sends(question), { keys, value: `answer to ${question}`, bytes });

describe('what a holder keeps', () => {
  it('is found until one of its keys is told', () => {
    keep('a', ['token/1', 'account/1']);
    keep('b', ['token/2', 'account/1']);
    expect(holder.look('a', at(20))).toBe('answer to a');
    holder.drops(['token/1']);
    expect(holder.look('a', at(20))).toBeUndefined();
    expect(holder.look('b', at(20))).toBe('answer to b');
    holder.drops([everything]);
    expect(holder.look('b', at(20))).toBeUndefined();
    expect(holder.state).toMatchObject({ bytes: 0, kept: new Map(), questions: new Map() });
  });

  it('stays within its bytes: the least used goes', () => {
    for (const question of ['a', 'b', 'c']) keep(question, [question], 40);
    expect(['a', 'b', 'c'].map((question) => holder.look(question, at(20)) !== undefined)).toEqual([false, true, true]);
    holder.look('b', at(20));
    keep('d', ['d'], 40);
    expect(['b', 'c', 'd'].map((question) => holder.look(question, at(20)) !== undefined)).toEqual([true, false, true]);
    expect(keep('e', ['e'], 101)).toBe(false);
  });

  it('is not kept by a session that has ended meanwhile', () => {
    const read = holder.sends('a');
    holder.registers('two', at(20));
    holder.registered('two', at(20), at(30));
    expect(holder.answered(read, { keys: ['a'], value: 'old', bytes: 1 })).toBe(false);
  });
});

describe('the lease of a holder (L1)', () => {
  it('ends before the lifetime that began with the sending', () => {
    expect([holder.isValid(at(899)), holder.isValid(at(900))]).toEqual([true, false]);
    holder.renewed('one', at(500), at(890));
    expect([holder.isValid(at(1_399)), holder.isValid(at(1_400))]).toEqual([true, false]);
  });

  it('ends when either clock has passed', () => {
    expect(holder.isValid({ monotonic: 20, wall: at(900).wall })).toBe(false);
    expect(holder.isValid({ monotonic: 900, wall: at(20).wall })).toBe(false);
  });

  it('ends for good when the wall clock was set back', () => {
    keep('a', ['a']);
    expect(holder.look('a', { monotonic: 20, wall: at(0).wall - 1 })).toBeUndefined();
    holder.renewed('one', at(30), at(40));
    expect(holder.isValid(at(50))).toBe(false);
  });

  it('is refused for its own session alone', () => {
    holder.refused('another');
    expect(holder.isValid(at(20))).toBe(true);
    holder.refused('one');
    expect(holder.isValid(at(20))).toBe(false);
    holder.registered('one', at(30), at(40));
    expect(holder.isValid(at(50))).toBe(false);
  });
});
