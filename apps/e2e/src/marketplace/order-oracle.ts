/** A notification or call about one application of provider B. This model follows open-points 11.2, 11.3 and 11.8. */
export type Event =
  | Readonly<{ kind: 'put'; id: number; time: number; failed: boolean }>
  | Readonly<{ kind: 'delete'; id: number; time: number; to: 'Deleting' | 'Deleted' | 'DeletionFailed' }>
  | Readonly<{ kind: 'bind'; id: number; installer: number; cluster: number }>
  | Readonly<{ kind: 'revoke'; id: number }>;

/** The visible state of an application. */
export interface Model {
  /** Undefined: there is no subscription. */
  readonly state: string | undefined;
  /** `installer/cluster` to which it is bound. */
  readonly bound: string | undefined;
  readonly lastTime: number;
  readonly contracts: 'none' | 'active' | 'revoked';
  readonly alerts: number;
  /** Status of the answer, with the code of a refusal, to each answered notification, by its id. */
  readonly answered: Readonly<Record<number, string>>;
  /** Entries of the audit, one for each notification. */
  readonly audit: Readonly<Record<string, string>>;
  /** A bind was applied, but its contracts do not exist yet. */
  readonly isUnmade?: true;
}

export const nothing: Model = {
  state: undefined, bound: undefined, lastTime: -Infinity, contracts: 'none', alerts: 0, answered: {}, audit: {},
};

const ended = new Set(['Deleting', 'DeletionFailed', 'Deleted', 'Revoked']);

/** The state after an event, and the answer to it. */
function apply(before: Model, event: Event): { readonly after: Model; readonly outcome: string } {
  switch (event.kind) {
    case 'put': return put(before, event);
    case 'delete': return remove(before, event);
    case 'bind': return bind(before, event);
    case 'revoke': return revoke(before, event);
  }
}

type Of<Kind extends Event['kind']> = Extract<Event, { kind: Kind }>;

/** A notification with a time has no effect if it was answered before, after a later one, or after `Deleted`. */
function inTime(
  before: Model, { id, kind, time }: Of<'put' | 'delete'>, effect: (noted: Model) => Partial<Model>,
): ReturnType<typeof apply> {
  if (before.answered[id] !== undefined) return { after: before, outcome: '200' };
  const isIgnored = before.state === 'Deleted' || time < before.lastTime;
  const audit = { ...before.audit, [id]: `${kind} ${isIgnored ? 'ignored' : 'success'}` };
  const noted = { ...before, answered: { ...before.answered, [id]: '200' }, audit };
  return { after: isIgnored ? noted : { ...noted, lastTime: time, ...effect(noted) }, outcome: '200' };
}

function put(before: Model, event: Of<'put'>) {
  return inTime(before, event, ({ state = 'Pending', alerts, audit }) => {
    if (!event.failed || (state !== 'Pending' && state !== 'Bounded')) return { state };
    return { state: 'Failed', alerts: alerts + 1, audit: { ...audit, [`alert ${alerts}`]: 'alert success' } };
  });
}

function remove(before: Model, event: Of<'delete'>) {
  if (before.state === undefined) return { after: before, outcome: '403 subscription_not_found' };
  return inTime(before, event, () => ({ state: event.to, contracts: revoked(before) }));
}

function bind(before: Model, { id, installer, cluster }: Of<'bind'>) {
  const wanted = `${installer}/${cluster}`;
  const refuse = (outcome: string) => {
    // A refusal is audited once, if the subscription exists and the notification has no entry yet.
    const isUnaudited = before.state !== undefined && before.audit[id] === undefined;
    const audit = isUnaudited ? { ...before.audit, [id]: 'bind failure' } : before.audit;
    return { after: { ...before, audit }, outcome };
  };
  if (before.state !== undefined && ended.has(before.state)) return refuse('400 subscription_closed');
  if (before.bound !== undefined && before.bound !== wanted) return refuse('400 invalid_binding');
  if (before.answered[id] !== undefined) return { after: before, outcome: '200' };
  const binds = before.bound === undefined || before.state === 'Failed';
  return {
    after: {
      ...before, bound: wanted, answered: { ...before.answered, [id]: '200' },
      audit: { ...before.audit, [id]: 'bind success' }, contracts: 'active' as const,
      state: binds ? 'Bounded' : before.state,
    },
    outcome: '200',
  };
}

function revoke(before: Model, { id }: Of<'revoke'>) {
  const { state } = before;
  if (state === undefined) return { after: before, outcome: 'none' };
  if (!['Bounded', 'Running', 'Failed'].includes(state)) return { after: before, outcome: '400 not_revocable' };
  const audit = { ...before.audit, [`revoke ${id}`]: 'revoke success' };
  return { after: { ...before, state: 'Revoked', contracts: revoked(before), audit }, outcome: '200' };
}

const revoked = ({ contracts }: Model): Model['contracts'] => (contracts === 'none' ? 'none' : 'revoked');

/** The possible results of an event. A bind fails if the subscription is closed before the contracts are made. */
function ways(before: Model, event: Event): ReturnType<typeof apply>[] {
  const usual = apply(before, event);
  if (event.kind !== 'bind' || usual.outcome !== '200' || before.contracts !== 'none') return [usual];
  const { state, bound } = usual.after;
  const audit = { ...before.audit, [event.id]: 'bind failure' };
  return [usual, { after: { ...before, state, bound, audit, isUnmade: true }, outcome: '400 subscription_closed' }];
}

/** An event with its answer. `lost`: the event was sent before, and that answer was lost. */
export interface Answered {
  readonly event: Event;
  /** Undefined if the answer was lost or contains no outcome. */
  readonly outcome: string | undefined;
  readonly lost?: boolean;
}

/**
 * The possible states after these events were sent concurrently and got these answers. An event with a lost answer may
 * have been applied before others; its repeat then gets the stored answer.
 */
export function possible(before: readonly Model[], events: readonly Answered[]): Model[] {
  const after = new Map<string, Model>();
  const repeated = events.filter(({ lost }) => lost).map(({ event }): Answered => ({ event, outcome: undefined }));
  const orders = [...permutations(events), ...(repeated.length === 0 ? [] : permutations([...events, ...repeated]))];
  for (const model of before) {
    for (const order of orders) {
      let now: readonly Model[] = [model];
      for (const { event, outcome } of order) {
        const all = now.flatMap((each) => ways(each, event));
        now = all.filter((way) => outcome === undefined || way.outcome === outcome).map(({ after: next }) => next);
      }
      for (const { isUnmade, ...end } of now) {
        // Contracts are made eventually, unless the subscription is closed before.
        if (isUnmade && (end.contracts !== 'none' || !ended.has(end.state ?? ''))) continue;
        after.set(JSON.stringify(end), end);
      }
    }
  }
  return [...after.values()];
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]));
}
