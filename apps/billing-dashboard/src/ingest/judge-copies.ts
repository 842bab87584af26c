import { isBelated, isInTime } from '../usage/late-changes.ts';
import { type Copies, type Copy, meteredKey } from './arrived-event.ts';

/** A copy of an event. The copy arrived too late to lower use that was already proven (open-points 13.5). */
export interface BelatedCopy extends Copy {
  /** Until when the use of the object was proven, in microseconds since 1970. The copy has an earlier time. */
  readonly provenAt: number;
}

/** An event and its copies. The `belated` copies arrived too late. The `counted` copies are all other copies. */
export interface Judged extends Copies {
  readonly place: number;
  readonly counted: readonly Copy[];
  readonly belated: readonly BelatedCopy[];
}

/**
 * Decides which copies of events arrived too late (open-points 13.5). Judges the copies for each metered object in the
 * order of arrival. Copies of events without a metered object are never too late.
 * @param metered the metered objects, by {@link meteredKey}; `provenAt` is the value before these copies
 */
export function judgeCopies(
  copies: readonly Copies[], metered: ReadonlyMap<string, { readonly provenAt: number }>, lateUs: number,
): Judged[] {
  const belated = new Map<Copy, BelatedCopy>();
  for (const [key, own] of Map.groupBy(copies, ({ event }) => meteredKey(event))) {
    if (key === undefined) continue;
    let { provenAt } = metered.get(key)!;
    const arrived = own.flatMap((one) => one.copies).toSorted((one, other) => one.place - other.place);
    for (const copy of arrived) {
      if (isBelated(copy, provenAt, lateUs)) belated.set(copy, { ...copy, provenAt });
      if (isInTime(copy)) provenAt = Math.max(provenAt, copy.until);
    }
  }
  return copies.map((one, place) => ({
    ...one, place,
    counted: one.copies.filter((copy) => !belated.has(copy)),
    belated: one.copies.flatMap((copy) => belated.get(copy) ?? []),
  }));
}
