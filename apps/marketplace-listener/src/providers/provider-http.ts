import {
  AddressRefused, AnswerTooLarge, createOutbound, type OutboundRequest, readBounded, Unreachable,
} from '@platform/outbound';
import { Fault, unavailable } from '@platform/faults';
import { shrink } from '@platform/service';

export interface ProviderAnswer {
  readonly status: number;
  readonly bytes: Buffer;
  /** Undefined if the body is not a JSON object. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

/** A refusal: the provider understood a request and refuses it. Site admins may see the error of the provider. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
  /** The code that the provider uses for this kind of refusal, such as `ThrottlingException`. */
  readonly code: string;
  /** Whether the report is at fault. Otherwise the provider is at fault, or our account at the provider. */
  readonly isOfReport: boolean;
  /** The error as the provider returned it. */
  readonly error: Readonly<Record<string, unknown>>;

  constructor(
    { code, message, isOfReport = false, error }:
    { code: string; message: string; isOfReport?: boolean; error: Readonly<Record<string, unknown>> },
  ) {
    super(message === '' ? 'the marketplace refused the request' : message);
    this.code = code;
    this.isOfReport = isOfReport;
    this.error = error;
  }
}

/** Time limit of one call to a marketplace (open-points 1.9). */
export const longestCallMs = 10_000;
const largestAnswer = 1024 * 1024;

/** The operator sets the addresses, so they may be in any network. */
const outbound = createOutbound({ allowed: ['0.0.0.0/0', '::/0'] });

/**
 * Sends one request to a provider.
 * @param name name of the provider in messages
 * @param mostBytes maximum size of the answer
 * @throws Fault UNAVAILABLE, BAD_UPSTREAM (the answer is too large); DeadlineExceeded after 10 s
 */
export async function askProvider(
  name: string, address: string | URL, request: OutboundRequest, mostBytes = largestAnswer,
): Promise<ProviderAnswer> {
  try {
    const { status, body } = await outbound.send(address, {
      ...request, deadline: shrink(request.deadline, longestCallMs),
    });
    const bytes = await readBounded(body, mostBytes);
    return { status, bytes, json: objectIn(bytes) };
  } catch (error) {
    if (error instanceof AnswerTooLarge) throw new Fault('BAD_UPSTREAM', `${name}: ${error.message}`);
    if (error instanceof AddressRefused || error instanceof Unreachable) throw unavailable(name, error);
    throw error;
  }
}

/**
 * The fault for an answer that is neither a success nor a refusal of the provider. Such an answer may come from a
 * proxy, or from an overloaded server.
 */
export function unreadable(name: string, status: number): Fault {
  if (status === 429 || status === 503) return unavailable(name);
  return new Fault('BAD_UPSTREAM', `${name} answered with status ${status} and no readable body`);
}

export function isSuccess({ status }: ProviderAnswer): boolean {
  return status >= 200 && status < 300;
}

/** A string field of a JSON object; empty if it is absent or not a string. */
export function textOf(json: Readonly<Record<string, unknown>> | undefined, key: string): string {
  const value = json?.[key];
  return typeof value === 'string' ? value : '';
}

/** An object field of a JSON object. */
export function objectOf(
  json: Readonly<Record<string, unknown>> | undefined, key: string,
): Readonly<Record<string, unknown>> | undefined {
  const value = json?.[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function objectIn(bytes: Buffer): ProviderAnswer['json'] {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as ProviderAnswer['json'])
      : undefined;
  } catch {
    return undefined;
  }
}
