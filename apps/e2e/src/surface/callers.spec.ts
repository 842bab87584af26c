import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readImage } from '@platform/proto/image';
import type { HttpAnswer } from '@platform/testing';
import { type Method, readSurface, ScalarType, type Surface } from '@platform/surface';
import { delimited } from '../attacks/wire-bytes.ts';
import { operatorOf, type Operator } from '../operator.ts';
import { type RunningPlatform, startPlatform } from '../platform.ts';
import { callers, type CallerKind, type Case, casesOf, refusalFor } from './callers.ts';
import { directCaller, type DirectCaller } from './direct-caller.ts';

const surface: Surface = readSurface(await readImage());
const methods = surface.methods.filter(({ hosts: [host] }) => ['orgs-teams', 'authz'].includes(host!));
const bound = methods.filter(({ http }) => http !== undefined);

let platform: RunningPlatform;
let operator: Operator;
let direct: DirectCaller;
let tokens: Record<CallerKind, string | undefined>;
/** What stands in for each path, query and request field. */
let values: Record<string, string | number>;

beforeAll(async () => {
  platform = await startPlatform();
  operator = await operatorOf(platform);
  direct = directCaller(platform);
  const [outsider, viewer, owner] = await Promise.all(
    ['outsider', 'viewer', 'owner'].map((name) => operator.user(name)),
  );
  const as = (token: string) => platform.http.with({ authorization: `token ${token}` });
  const created = await as(owner!.token).post('/api/v1/orgs', { json: { username: 'acme' } });
  expect(created.status).toBe(201);
  const teams = (await as(owner!.token).get('/api/v1/orgs/acme/teams')).json<{ id: number; name: string }[]>();
  const viewers = teams.find(({ name }) => name === 'Viewers')!;
  const added = await as(owner!.token).put(`/api/v1/teams/${viewers.id}/members/viewer`);
  expect(added.status).toBe(204);
  tokens = {
    nobody: undefined,
    'bad token': '0'.repeat(40),
    outsider: outsider!.token,
    viewer: viewer!.token,
    owner: owner!.token,
    'system admin': await operator.systemAdminToken('acme'),
    'site admin': platform.adminToken,
  };
  values = {
    ...{ orgname: 'acme', org: 'acme', teamid: viewers.id, id: 999_999, uid: 999_999, username: 'nosuch' },
    ...{ claim_id: 'X'.repeat(26), hash: '0'.repeat(32) },
    ...{ object_type: 'organization', object_id: created.json<{ id: number }>().id },
  };
}, 120_000);

afterAll(async () => {
  await direct?.[Symbol.asyncDispose]();
  await operator?.[Symbol.asyncDispose]();
});

function call({ method, action }: Case, caller: CallerKind, body?: string): Promise<HttpAnswer> {
  const { verb, template, body: bodyField } = method.http!;
  const given: Record<string, string | number> = { ...values, ...(action === undefined ? {} : { action }) };
  const path = template.replace(/\{(\w+)[^}]*\}/g, (_, field: string) => {
    if (!(field in given)) throw new Error(`${method.fullName}: say in callers.spec.ts what stands for ${field}`);
    return encodeURIComponent(given[field]!);
  });
  const inPath = [...template.matchAll(/\{(\w+)/g)].map(([, field]) => field);
  const query = method.input.fields
    .filter(({ name }) => bodyField !== '*' && name !== bodyField && !inPath.includes(name) && name in given)
    .map(({ jsonName, name }) => `${jsonName}=${encodeURIComponent(given[name]!)}`);
  const token = tokens[caller];
  return platform.http.send(verb, `${path}${query.length > 0 ? `?${query.join('&')}` : ''}`, {
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
}

/** The code of an error; of a success there is none. */
const reasonOf = (answer: HttpAnswer) =>
  answer.status < 400 ? 'OK' : String(answer.json<{ code?: string }>().code).toUpperCase();
const takesBody = ({ http }: Method) => http!.body !== '';

describe.each(bound.flatMap(casesOf).map((one) => [one.name, one] as const))('%s over REST', (_, one) => {
  it.each(callers)('%s', async (caller) => {
    const refusal = refusalFor(one, caller);
    if (refusal !== undefined) {
      // Refused as such, and before the body is looked at: so the handler is not reached.
      expect(reasonOf(await call(one, caller))).toBe(refusal);
      expect(reasonOf(await call(one, caller, '{"'))).toBe(refusal);
    } else if (takesBody(one.method)) {
      // Let in as far as the body.
      const answer = await call(one, caller, '{"');
      const told = one.method.rest.multipartOnly ? [415, 'UNSUPPORTED_MEDIA_TYPE'] : [422, 'MALFORMED_BODY'];
      expect([answer.status, reasonOf(answer)]).toEqual(told);
    } else if (one.method.repeatable) {
      expect([401, 403, 500, 503]).not.toContain((await call(one, caller)).status);
    }
  });
});

/** Half of a surrogate pair as a text that no access rule needs; undefined where the method has no such text. */
function badText({ input: { fields } }: Method): Buffer | undefined {
  const field = fields.find(({ name, scalar }) => scalar === ScalarType.STRING && name !== 'action' && !(name in values));
  return field && delimited(field.number, Buffer.from([0xed, 0xa0, 0x80]));
}

// Streams pass the same guard; libs/rpc tries it.
const unary = methods.filter(({ kind }) => kind === 'unary');

describe.each(unary.flatMap(casesOf).map((one) => [one.name, one] as const))('%s over gRPC', (_, one) => {
  it.each(callers)('%s', async (caller) => {
    const refusal = refusalFor(one, caller);
    const given = { ...values, ...(one.action === undefined ? {} : { action: one.action }) };
    // Refused as such, and before the message is looked at: so the handler is not reached.
    const bad = badText(one.method);
    if (bad) expect(await direct.reasonOf(one.method, given, tokens[caller], bad)).toBe(refusal ?? 'MALFORMED_BODY');
    if (refusal === undefined && !one.method.repeatable) return;
    const reason = await direct.reasonOf(one.method, given, tokens[caller]);
    if (refusal !== undefined) expect(reason).toBe(refusal);
    else expect(['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_ORG_MEMBER', 'INTERNAL', 'UNAVAILABLE']).not.toContain(reason);
  });
});
