import type { Deployment } from '@platform/surface';
import { type HttpAnswer, type HttpClient, isConsolePage } from '@platform/testing';
import { ownOriginOf, requestOf } from '../examples/call-example.ts';
import type { Names } from '../examples/names.ts';
import type { Case } from './cases.ts';
import { badText, type DirectCaller, messageOf } from './direct-caller.ts';
import { type CallerKind, refusalFor } from './refusal-for.ts';

/** Who calls, and where. */
export interface Callers {
  readonly http: HttpClient;
  readonly direct: DirectCaller;
  readonly deployment: Deployment;
  readonly tokens: Readonly<Record<CallerKind, string | undefined>>;
  /** Actual values for the names in the examples. */
  readonly meant: Names['meant'];
}

/** The code of an error answer; `OK` for a success. */
function reasonOf(target: string, answer: HttpAnswer): string {
  if (isConsolePage(target, answer)) return 'NOT_FOUND';
  return answer.status < 400 ? 'OK' : String(answer.json<{ code?: string }>().code ?? 'not_found').toUpperCase();
}

/**
 * Calls a method over REST. Returns differences from its access rule. A refused caller is refused before the body is
 * checked, so the handler is not reached.
 */
export async function tryOverRest(
  { http, tokens, meant, deployment }: Callers, one: Case, caller: CallerKind,
): Promise<string[]> {
  const { method, example } = one;
  const token = tokens[caller];
  const client = token === undefined ? http : http.with({ authorization: `Bearer ${token}` });
  const { verb, target, options } = await requestOf(method, example, meant);
  const malformed = { body: '{"', headers: { 'content-type': 'application/json', ...ownOriginOf(method) } };
  const wrong: string[] = [];
  const refusal = refusalFor(deployment, one, caller, false);
  if (refusal !== undefined || verb === 'GET') {
    const answer = await client.send(verb, target, options);
    wrong.push(...differs(one, reasonOf(target, answer), refusal));
  }
  const refusalOfMalformed = refusalFor(deployment, one, caller, true);
  if (method.http!.body !== '' || refusalOfMalformed !== undefined) {
    const unread = method.rest.multipartOnly ? 'UNSUPPORTED_MEDIA_TYPE' : 'MALFORMED_BODY';
    const expected = refusalOfMalformed ?? unread;
    const reason = reasonOf(target, await client.send(verb, target, malformed));
    if (reason !== expected) wrong.push(`a malformed body: ${reason}, not ${expected}`);
  }
  return wrong;
}

/** Makes the same call over gRPC, at one of the services that serve the method. */
export async function tryOverGrpc(
  { direct, tokens, meant, deployment }: Callers, one: Case, host: string, caller: CallerKind,
): Promise<string[]> {
  const { method, example } = one;
  const message = messageOf(method, example, meant);
  const wrong: string[] = [];
  const refusal = refusalFor(deployment, one, caller, false);
  if (refusal !== undefined || method.http?.verb === 'GET') {
    const reason = await direct.reasonOf(method, host, message, tokens[caller]);
    wrong.push(...differs(one, reason, refusal));
  }
  // In a method with a raw body the text would count as a secret, which is checked first.
  const bad = method.http?.rawBody ? undefined : badText(method);
  if (bad) {
    const reason = await direct.reasonOf(method, host, Buffer.concat([message, bad]), tokens[caller]);
    const expected = refusalFor(deployment, one, caller, true) ?? 'MALFORMED_BODY';
    if (reason !== expected) wrong.push(`a malformed message: ${reason}, not ${expected}`);
  }
  return wrong;
}

/** Refusals that an admitted caller must not get, unless the method itself may give them. */
const refusalsOfCallers = [
  'UNAUTHENTICATED', 'MISSING_SCOPE', 'FORBIDDEN', 'NOT_ORG_MEMBER', 'INTERNAL', 'UNAVAILABLE',
];

function differs({ method, actsFor }: Case, reason: string, refusal: string | undefined): string[] {
  if (refusal !== undefined) return reason === refusal ? [] : [`the call: ${reason}, not ${refusal}`];
  const { faults, access: { check } } = method;
  // The object of the example belongs to acme, so it is missing for another account.
  const isMissing = actsFor !== 'organization' && reason === check?.missing;
  const isRefused = refusalsOfCallers.includes(reason) && !faults.includes(reason) && !isMissing;
  return isRefused ? [`the call: ${reason}, though admitted`] : [];
}
