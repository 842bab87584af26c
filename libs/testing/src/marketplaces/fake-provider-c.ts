import { generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import { type FakeProvider, fakeProvider, type ProviderReply } from './fake-provider.ts';

/** Provider C with the protocols of Google: access tokens for signed assertions, and service control. */
export interface FakeProviderC extends FakeProvider {
  /** Amounts by operation id. */
  readonly counted: Map<string, string>;
  /** The last operation that was reported. */
  readonly last: () => Record<string, unknown> | undefined;
  readonly settings: Readonly<Record<
    | 'marketplace.providerc.credential' | 'marketplace.providerc.serviceName' | 'marketplace.providerc.consumerId'
    | 'marketplace.providerc.serviceControlURL', string
  >>;
}

const email = 'metering@spec.iam.example.org';
const serviceName = 'platform.endpoints.example.org';
const consumerId = 'project:spec';

interface Operation extends Record<string, unknown> {
  readonly operationId: string;
  readonly consumerId: string;
  readonly metricValueSets: readonly {
    readonly metricName: string;
    readonly metricValues: readonly { readonly int64Value?: string; readonly doubleValue?: number }[];
  }[];
}

export async function fakeProviderC(): Promise<FakeProviderC> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const counted = new Map<string, string>();
  const issued = new Set<string>();
  let last: Operation | undefined;

  function issue(body: string): ProviderReply {
    const form = new URLSearchParams(body);
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const isSigned = verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url'));
    const said = isSigned ? JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown> : {};
    const now = Date.now() / 1000;
    const isGood = form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' && said['iss'] === email
      && said['aud'] === `${server.url}/token` && said['scope'] === 'https://www.googleapis.com/auth/servicecontrol'
      && Number(said['iat']) <= now + 1 && Number(said['exp']) > now && Number(said['exp']) <= now + 3600;
    if (!isGood) return { status: 400, json: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } };
    const token = `ya29.${randomUUID()}`;
    issued.add(token);
    return { status: 200, json: { access_token: token, expires_in: 3599, token_type: 'Bearer' } };
  }

  function report(body: string): ProviderReply {
    const { operations: [operation] } = JSON.parse(body) as { operations: [Operation] };
    const answer = { serviceConfigId: '2026-11-22r0', serviceRolloutId: '2026-11-22r0' };
    const [set] = operation.metricValueSets;
    if (operation.consumerId !== consumerId || set?.metricName.startsWith(`${serviceName}/unknown`) !== false) {
      return { status: 200, json: { ...answer, reportErrors: [
        { operationId: operation.operationId, status: { code: 3, message: 'The metric is not defined.' } },
      ] } };
    }
    last = operation;
    const { int64Value, doubleValue } = set.metricValues[0]!;
    counted.set(operation.operationId, int64Value ?? String(doubleValue));
    return { status: 200, json: answer };
  }

  const server: FakeProvider = await fakeProvider(({ method, url, headers }, body) => {
    if (method === 'POST' && url === '/token') return issue(body);
    if (!issued.has((headers.authorization ?? '').replace('Bearer ', ''))) {
      return { status: 401, json: { error: { code: 401, status: 'UNAUTHENTICATED', message: 'invalid credentials' } } };
    }
    if (method === 'POST' && url === `/v1/services/${serviceName}:report`) return report(body);
    return { status: 404, json: { error: { code: 404, status: 'NOT_FOUND', message: 'not found' } } };
  }, {
    500: { error: { code: 500, status: 'INTERNAL', message: 'internal' } },
    429: { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'quota' } },
  });
  const credential = {
    type: 'service_account', client_email: email, private_key_id: 'key-of-spec', token_uri: `${server.url}/token`,
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
  return {
    ...server, counted, last: () => last,
    settings: {
      'marketplace.providerc.credential': JSON.stringify(credential), 'marketplace.providerc.serviceName': serviceName,
      'marketplace.providerc.consumerId': consumerId, 'marketplace.providerc.serviceControlURL': server.url,
    },
  };
}
