import { type Fault, mostViolations, tooManyItems, type Violation } from '@platform/faults';
import type { ItemLimit } from '@platform/surface';

/** A place inside a JSON document, such as `[36].objectType`. Each place refers to the place that contains it. */
export class Place {
  readonly up: Place | undefined;
  readonly step: string | number;

  constructor(up: Place | undefined, step: string | number) {
    this.up = up;
    this.step = step;
  }
}

export const documentRoot = new Place(undefined, '');

export class Problems {
  readonly violations: Violation[] = [];
  /** Fault of the first list or map with too many items. It takes precedence over `violations` (open-points 1.9). */
  tooMany: Fault | undefined;

  /** Reports an invalid value at `step` below `up`. Only the first `mostViolations` are kept. Returns undefined. */
  add(up: Place, step: string | number, message: string): undefined {
    if (this.violations.length < mostViolations) this.violations.push({ path: pathOf(new Place(up, step)), message });
  }

  /** Returns whether the list or map at `step` below `up` may have this many items. If not, `tooMany` is set. */
  fits(up: Place, step: string | number, items: number, limit: ItemLimit | undefined): boolean {
    if (limit === undefined || items <= limit.most) return true;
    this.tooMany ??= tooManyItems(pathOf(new Place(up, step)), limit.most, limit.reason);
    return false;
  }
}

/** The path of a place, such as `emails.financeTeam[0]`. The key `a b` is quoted: `labels["a b"]` (open-points 1.6). */
function pathOf(place: Place): string {
  const steps: (string | number)[] = [];
  for (let at: Place | undefined = place; at?.up; at = at.up) steps.unshift(shortened(at.step));
  return steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    if (step === '') return path;
    if (!/^[A-Za-z_$][\w$-]*$/.test(step)) return `${path}[${JSON.stringify(step)}]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');
}

/** Shortens a long key in a path. Callers choose the keys of maps, so a key may be very long. */
function shortened(step: string | number): string | number {
  return typeof step === 'string' && step.length > 80 ? `${step.slice(0, 80)}…` : step;
}
