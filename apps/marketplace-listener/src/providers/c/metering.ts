import { sign } from 'node:crypto';
import type { Deadline } from '@platform/service';
import { askAuthorized, createAccessTokens } from '../access-tokens.ts';
import {
  isSuccess, objectOf, type ProviderAnswer, ProviderRefusal, refusalIn, textOf, unreadable,
} from '../provider-http.ts';
import type { ServiceAccount } from './service-account.ts';

/** An operation of Google Service Control: the usage of one dimension in a period. */
export interface UsageOfC {
  /** The provider counts operations with the same id once. */
  readonly operationId: string;
  readonly dimension: string;
  readonly startTime: Date;
  readonly endTime: Date;
  readonly labels: Readonly<Record<string, string>>;
  /** `int64Value` is a string, because a JavaScript number cannot represent all 64-bit integers exactly. */
  readonly value: { readonly int64Value: string } | { readonly doubleValue: number };
}

export interface MeteringOfC {
  /**
   * Reports usage to the provider.
   * @returns the provider's answer, unchanged
   * @throws ProviderRefusal; Fault UNAVAILABLE, BAD_UPSTREAM; DeadlineExceeded (at most 10 s for each HTTP request)
   */
  report(usage: UsageOfC, deadline: Deadline): Promise<Buffer>;
  /** Gets a new access token, even if a valid one is stored. @throws as {@link report} */
  signIn(deadline: Deadline): Promise<void>;
}

const identity = 'the identity service of provider C';
const serviceControl = 'the service control of provider C';
const scope = 'https://www.googleapis.com/auth/servicecontrol';

/** Reports to Google Service Control v1 with tokens of a service account (ADR 0138). The bill goes to `consumerId`. */
export function createMeteringOfC({ account, serviceName, consumerId, serviceControlUrl }: {
  account: ServiceAccount; serviceName: string; consumerId: string; serviceControlUrl: string | undefined;
}): MeteringOfC {
  const base = (serviceControlUrl ?? 'https://servicecontrol.googleapis.com').replace(/\/+$/, '');
  const address = `${base}/v1/services/${encodeURIComponent(serviceName)}:report`;
  const tokens = createAccessTokens(identity, account.tokenUrl, async () => ({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: assertionOf(account),
  }));
  return {
    report: async (usage, deadline) => {
      const request = { operations: [operationOf(usage, serviceName, consumerId)] };
      const answer = await askAuthorized(serviceControl, tokens, address, deadline, request);
      const refusal = refusalOf(answer);
      if (refusal !== undefined) throw refusal;
      return answer.bytes;
    },
    signIn: async (deadline) => void (await tokens.renew(deadline)),
  };
}

/** A signed assertion of our identity, valid for an hour (RFC 7523). */
function assertionOf({ email, key, keyId, tokenUrl }: ServiceAccount): string {
  const now = Math.floor(Date.now() / 1000);
  const parts = [
    { alg: 'RS256', typ: 'JWT', kid: keyId },
    { iss: email, scope, aud: tokenUrl, iat: now, exp: now + 3600 },
  ];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}`;
}

function operationOf(
  { operationId, dimension, startTime, endTime, labels, value }: UsageOfC, serviceName: string, consumerId: string,
) {
  const period = { startTime: startTime.toISOString(), endTime: endTime.toISOString() };
  return {
    operationId, operationName: dimension, consumerId, ...period, userLabels: labels,
    metricValueSets: [{ metricName: `${serviceName}/${dimension}`, metricValues: [{ ...period, ...value }] }],
  };
}

/** The refusal in an answer; undefined if the usage was accepted. @throws Fault UNAVAILABLE, BAD_UPSTREAM */
function refusalOf(answer: ProviderAnswer): ProviderRefusal | undefined {
  const { status, json } = answer;
  if (!isSuccess(answer)) return refusalIn(serviceControl, status, objectOf(json, 'error'), 'status');
  if (json === undefined) throw unreadable(serviceControl, status);
  const [refused] = Array.isArray(json['reportErrors']) ? json['reportErrors'] : [];
  if (refused === undefined) return undefined;
  const error = objectOf(refused as Readonly<Record<string, unknown>>, 'status') ?? {};
  return new ProviderRefusal({ code: String(error['code'] ?? ''), message: textOf(error, 'message'), error });
}
