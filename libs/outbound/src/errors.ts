/** The address is malformed or refused, or its name resolves to a refused address. The message says why. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** The request failed: for example, the name does not resolve, or the server cannot be reached. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';

  constructor(mostBytes: number) {
    super(`the answer has more than ${mostBytes} bytes`);
  }
}
