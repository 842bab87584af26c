import type { Kind } from './setting-kinds.ts';

/** A setting in the table from which all services pick theirs. */
export interface Setting<Value, HasDefault extends boolean = boolean> {
  readonly kind: Kind<Value>;
  /** The default in the notation of the environment; undefined if there is none. */
  readonly defaultText: HasDefault extends true ? string : undefined;
  /** Description for the reference (docs/configuration.md). */
  readonly about: string;
}

/** A setting without a default. */
export function given<Value>(kind: Kind<Value>, about: string): Setting<Value, false> {
  return { kind, about, defaultText: undefined };
}

export function defaulted<Value>(kind: Kind<Value>, defaultText: string, about: string): Setting<Value, true> {
  return { kind, about, defaultText };
}
