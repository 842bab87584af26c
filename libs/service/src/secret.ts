import { inspect } from 'node:util';

const shown = '[secret]';

/**
 * A value that must not be seen: it prints as `[secret]` in logs, JSON, template strings and `util.inspect`.
 * Only {@link Secret.reveal} gives it away, which makes each use findable.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  [inspect.custom](): string {
    return shown;
  }
}
