import type { HttpBody } from '@platform/proto/google/api/httpbody';
import { InexactNumber, isObject, malformed, parseDocument, parseTimestamp } from '@platform/rest';
import { Fault } from '@platform/faults';
import type { Marketplace } from '../marketplaces.ts';
import { installerNamed, membersOf } from './binding-info.ts';
import type { DocumentDigests } from './digest.ts';

/** A notification whose body is a JSON object (spec §2.8). */
export interface Payload {
  readonly marketplace: Marketplace;
  /** Why the notification is malformed; undefined if it is not malformed. Malformed fields are undefined. */
  readonly problem: Fault | undefined;
  readonly eventType: string | undefined;
  readonly eventTime: Date | undefined;
  readonly applicationId: string | undefined;
  readonly provisioningState: string | undefined;
  /** Has the string fields `publisher`, `product`, `name` and `version`. A missing field is empty. */
  readonly plan: object | undefined;
  readonly resourceUsageId: string | undefined;
  /** May have any type, because it is not checked yet. */
  readonly bindingInfo: unknown;
  /** The id of the installer in the notification, even if other fields are invalid. */
  readonly installerId: string | undefined;
  readonly digests: ReturnType<DocumentDigests>;
  /** The fields of the notification that the audit shows, without secrets. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Matches the content type `application/json`, and types that end in `+json` (open-points 1.7). */
const json = /^\s*(?:application\/json|[^\s;]+\+json)\s*(?:;|$)/i;

/**
 * Reads a notification. A malformed field sets `problem`. The other fields stay readable, because the audit needs them.
 * @throws Fault UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE; MALFORMED_BODY if the body is not a valid JSON object
 */
export function readPayload(marketplace: Marketplace, body: HttpBody | undefined, digests: DocumentDigests): Payload {
  const { contentType = '', data = Buffer.alloc(0) } = body ?? {};
  if (contentType !== '' && !json.test(contentType)) {
    throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'the body must be application/json');
  }
  const parsed = parseDocument(Buffer.from(data));
  if (parsed instanceof Fault) throw parsed;
  const document = parsed.value;
  if (!isObject(document)) throw malformed('the body must be an object');
  let problem: Fault | undefined;
  const read = <Value>(field: () => Value): Value | undefined => {
    try {
      return field();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      problem ??= error;
      return undefined;
    }
  };
  const readOfB: typeof read = (field) => (marketplace === 'ProviderB' ? read(field) : undefined);
  return {
    marketplace,
    eventTime: read(() => timeIn(document)),
    eventType: read(() => textIn(document, 'eventType')),
    applicationId: readOfB(() => textIn(document, 'applicationId')),
    provisioningState: readOfB(() => textIn(document, 'provisioningState')),
    plan: readOfB(() => planIn(document)),
    resourceUsageId: readOfB(() => usageIdIn(document)),
    // The reads above may set `problem`, so `problem` must come after them.
    problem,
    bindingInfo: document['bindingInfo'] ?? undefined,
    installerId: installerNamed(document['bindingInfo']),
    digests: digests(marketplace, document),
    data: dataOf(document),
  };
}

function timeIn(document: Readonly<Record<string, unknown>>): Date | undefined {
  const text = textIn(document, 'eventTime') || undefined;
  if (text === undefined) return undefined;
  const time = parseTimestamp(text);
  if (time === undefined) throw malformed('eventTime must be an RFC3339 time');
  return new Date(time.seconds * 1000 + Math.floor(time.nanos / 1e6));
}

function textIn(from: Readonly<Record<string, unknown>>, key: string, up = ''): string | undefined {
  const value = from[key] ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw malformed(`${up}${key} must be a string`);
}

function objectIn(from: Readonly<Record<string, unknown>>, key: string): Record<string, unknown> | undefined {
  const value = from[key] ?? undefined;
  if (value === undefined || isObject(value)) return value;
  throw malformed(`${key} must be an object`);
}

const planKeys = ['publisher', 'product', 'name', 'version'] as const;

function planIn(document: Readonly<Record<string, unknown>>): object | undefined {
  const plan = objectIn(document, 'plan');
  return plan && Object.fromEntries(planKeys.map((key) => [key, textIn(plan, key, 'plan.') ?? '']));
}

function usageIdIn(document: Readonly<Record<string, unknown>>): string | undefined {
  const details = objectIn(document, 'billingDetails');
  return details && textIn(details, 'resourceUsageId', 'billingDetails.');
}

const auditedKeys = [
  'eventType', 'eventTime', 'applicationId', 'provisioningState', 'billingDetails', 'plan', 'error',
] as const;
const auditedBindingKeys = [
  'marketplace', 'installerId', 'clusterId', 'providerAAccountID', 'adminUsername', 'domainWhiteList', 'options',
] as const;

function dataOf(document: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const binding = document['bindingInfo'];
  const members = isObject(binding) ? membersOf(binding) : undefined;
  const kept = (keys: readonly string[], value: (key: string) => unknown): Record<string, unknown> =>
    Object.fromEntries(keys.flatMap((key) => (value(key) === undefined ? [] : [[key, withoutSecrets(value(key))]])));
  return {
    ...kept(auditedKeys, (key) => document[key]),
    ...(members && { bindingInfo: kept(auditedBindingKeys, (key) => members.get(key.toLowerCase())) }),
  };
}

/** Matches names of fields that may contain secrets (open-points 11.8), such as `adminPassword` or `accessKeyId`. */
const secret = /pass|pwd|secret|token|key|^auth|credential/i;

/** Returns a copy without fields whose names match `secret`, at any depth. An `InexactNumber` becomes a string. */
export function withoutSecrets(value: unknown): unknown {
  if (value instanceof InexactNumber) return String(value.nearest);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => !secret.test(key)).map(([key, inner]) => [key, withoutSecrets(inner)]),
  );
}
