import { inspect } from 'node:util';

const shown = '[secret]';

/** A secret value that prints as `[secret]`. Only {@link Secret.reveal} returns the value. */
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
