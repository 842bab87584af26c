import type { Account } from '@platform/rpc';
import type { Unit } from './figures.ts';
import { isFinal, type Month, rfc3339 } from './month.ts';
import type { ViewRequest, ViewType } from './view-request.ts';

/** What every view of a month begins and ends with (open-points 7.2). */
export function envelope(
  { product, view, viewType, unit }: { product: string; view: string; viewType?: ViewType; unit: Unit },
  { month, filters }: Pick<ViewRequest, 'month' | 'filters'>,
  { id, name }: Pick<Account, 'id' | 'name'>,
) {
  return {
    product,
    view,
    ...(viewType === undefined ? {} : { viewType }),
    period: periodOf(month),
    owner: { id, name },
    filters,
    units: unit.names,
  };
}

function periodOf({ year, month, from, to }: Month) {
  return { year, month, start: rfc3339(from), end: rfc3339(to) };
}

/** What every view of a month ends with. @param until microseconds since 1970, whole seconds */
export function closing(month: Month, until: number) {
  return { generatedAt: rfc3339(until), final: isFinal(month, until) };
}
