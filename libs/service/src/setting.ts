import type { Kind } from './setting-kinds.ts';

/** An entry of the object `settings` (settings.ts), without its key. */
export interface Setting<Value, HasDefault extends boolean = boolean> {
  readonly kind: Kind<Value>;
  /** The default, written like the value of an environment variable. Undefined if the setting has no default. */
  readonly defaultText: HasDefault extends true ? string : undefined;
  /** What the setting means, for docs/configuration.md and other documentation. */
  readonly about: string;
}

/** Creates a setting without a default. */
export function given<Value>(kind: Kind<Value>, about: string): Setting<Value, false> {
  return { kind, about, defaultText: undefined };
}

export function defaulted<Value>(kind: Kind<Value>, defaultText: string, about: string): Setting<Value, true> {
  return { kind, about, defaultText };
}
