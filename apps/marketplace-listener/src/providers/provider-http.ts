import {
  AddressRefused, AnswerTooLarge, createOutbound, type OutboundRequest, readBounded, Unreachable,
} from '@platform/outbound';
import { Fault, unavailable } from '@platform/faults';
import { isObject } from '@platform/rest';
import { type Deadline, shrink } from '@platform/service';

type Json = Readonly<Record<string, unknown>>;

export interface ProviderAnswer {
  readonly status: number;
  readonly bytes: Buffer;
  /** Undefined if the body is not a JSON object. */
  readonly json: Json | undefined;
}

/** The provider, or the metering proxy, did not accept a request. Site admins may see the error that was returned. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
  /** Error code of the provider, such as `ThrottlingException`. If there is none: the HTTP status, or an empty text. */
  readonly code: string;
  /** Whether the code means that the report or its sender caused the refusal. True only for codes of provider A. */
  readonly isOfReport: boolean;
  readonly error: Json;

  constructor(
    { code, message, isOfReport = false, error }:
    { code: string; message: string; isOfReport?: boolean; error: Json },
  ) {
    super(message === '' ? 'the marketplace refused the request' : message);
    this.code = code;
    this.isOfReport = isOfReport;
    this.error = error;
  }
}

/** Time limit of one call to a marketplace, in milliseconds (open-points 1.9). */
export const longestCallMs = 10_000;
const largestAnswer = 1024 * 1024;

/** The operator sets the addresses, so they may be in any network. */
const outbound = createOutbound({ allowed: ['0.0.0.0/0', '::/0'] });

/**
 * Sends a request and reads the answer, in at most 10 s.
 * @throws Fault UNAVAILABLE, BAD_UPSTREAM (answer too large); DeadlineExceeded
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
 * Sends a POST request with `json`, or a GET request if `json` is undefined. Adds the access token if there is one.
 * @throws as {@link askProvider}
 */
export function askWithToken(
  name: string, address: string, token: string | undefined, deadline: Deadline, json?: object,
): Promise<ProviderAnswer> {
  const body = json && JSON.stringify(json);
  return askProvider(name, address, {
    method: body === undefined ? 'GET' : 'POST', deadline,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
    },
    ...(body === undefined ? {} : { body }),
  });
}

/** The fault for an unexpected answer, which a proxy or an overloaded server may send. */
export function unreadable(name: string, status: number): Fault {
  if (status === 429 || status === 503) return unavailable(name);
  return new Fault('BAD_UPSTREAM', `${name} gave an unexpected answer with status ${status}`);
}

/**
 * The refusal that an error of a provider describes.
 * @throws the fault of {@link unreadable} if there is no error, or if the error has no code
 */
export function refusalIn(name: string, status: number, error: Json | undefined, codeKey: string): ProviderRefusal {
  const code = textOf(error, codeKey);
  if (error === undefined || code === '') throw unreadable(name, status);
  return new ProviderRefusal({ code, message: textOf(error, 'message'), error });
}

export function isSuccess({ status }: ProviderAnswer): boolean {
  return status >= 200 && status < 300;
}

/** The text of a field; empty if the field is absent or not a string. */
export function textOf(json: Json | undefined, key: string): string {
  const value = json?.[key];
  return typeof value === 'string' ? value : '';
}

export function objectOf(json: Json | undefined, key: string): Json | undefined {
  const value = json?.[key];
  return isObject(value) ? value : undefined;
}

function objectIn(bytes: Buffer): Json | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
