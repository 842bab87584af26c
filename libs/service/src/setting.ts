import type { Kind } from './setting-kinds.ts';

/** One setting of the platform: every service picks from this table, so a setting has one kind, default and text. */
export interface Setting<Value, HasDefault extends boolean = boolean> {
  readonly kind: Kind<Value>;
  /** As it would be written in the environment; undefined when there is none. */
  readonly defaultText: HasDefault extends true ? string : undefined;
  /** For the reference (docs/configuration.md). */
  readonly about: string;
}

/** A setting without a default. */
export function given<Value>(kind: Kind<Value>, about: string): Setting<Value, false> {
  return { kind, about, defaultText: undefined };
}

/** A setting with a default. */
export function defaulted<Value>(kind: Kind<Value>, defaultText: string, about: string): Setting<Value, true> {
  return { kind, about, defaultText };
}
