import { type Metrics, noMetrics } from '@platform/service';

export interface GuardMetrics {
  decided(source: 'kept' | 'engine'): void;
  asked(): void;
  /** Counts a decision that is repeated because rows changed, or too much time passed (authorization.md R6). */
  repeated(cause: 'rows moved' | 'standing old'): void;
  refused(relation: string, objectType: string): void;
  keeping(size: () => number): void;
}

export function createGuardMetrics(metrics: Metrics = noMetrics): GuardMetrics {
  const decisions = metrics.counter({
    name: 'authorization_decisions_total',
    help: 'Authorization decisions, by source: from memory, or from the authorization engine.',
    labels: ['source'],
  });
  const flights = metrics.counter({
    name: 'authorization_flights_total',
    help: 'Questions to the authorization engine, for principals whose rights are not in memory.',
  }).with({});
  const repeats = metrics.counter({
    name: 'authorization_repeats_total',
    help: 'Decisions repeated because rows changed meanwhile, or because a step took too long.',
    labels: ['cause'],
  });
  const refusals = metrics.counter({
    name: 'authorization_refusals_total',
    help: 'Calls refused because the caller lacks a relation, by relation and by type of object.',
    labels: ['relation', 'object_type'],
  });
  const decided = { kept: decisions.with({ source: 'kept' }), engine: decisions.with({ source: 'engine' }) };
  return {
    decided: (source) => decided[source].add(),
    asked: () => flights.add(),
    repeated: (cause) => repeats.add({ cause }),
    refused: (relation, objectType) => refusals.add({ relation, object_type: objectType }),
    keeping: (size) => metrics.observed(
      { name: 'authorization_grounds_kept', help: 'Principals whose grounds are kept in memory.' }, size,
    ),
  };
}
