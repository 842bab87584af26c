/** The rules refuse the address, or an address that the name resolves to. The message says why, for people. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** The name does not resolve, or the server cannot be reached or does not speak HTTP. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';

  constructor(mostBytes: number) {
    super(`the answer has more than ${mostBytes} bytes`);
  }
}
