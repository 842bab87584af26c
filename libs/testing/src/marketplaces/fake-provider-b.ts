import { randomUUID } from 'node:crypto';
import { type FakeProvider, fakeProvider, type ProviderReply } from './fake-provider.ts';

/**
 * Provider B with the protocols of Azure: an OAuth server, the resource API of managed applications, and marketplace
 * metering.
 */
export interface FakeProviderB extends FakeProvider {
  /** Quantities by `{resource}/{dimension}/{hour}`. */
  readonly counted: Map<string, number>;
  readonly settings: Readonly<Record<
    | 'marketplace.providerb.tenantID' | 'marketplace.providerb.clientID' | 'marketplace.providerb.clientSecret'
    | 'marketplace.providerb.tokenURL' | 'marketplace.providerb.resourceURL' | 'marketplace.providerb.meteringURL',
    string
  >>;
}

const client = { id: 'client-of-spec', secret: 'secret+of/the=client&of spec' };
const audiences = ['https://management.azure.com/.default', '20e940b3-4c77-4b0b-9a53-9e16a1b010a7/.default'];

export async function fakeProviderB(): Promise<FakeProviderB> {
  const counted = new Map<string, number>();
  const issued = new Map<string, string>();

  function issue(body: string): ProviderReply {
    const form = new URLSearchParams(body);
    const scope = form.get('scope') ?? '';
    if (form.get('grant_type') !== 'client_credentials' || !audiences.includes(scope)) {
      return { status: 400, json: { error: 'invalid_scope', error_description: 'The scope is not known.' } };
    }
    if (form.get('client_id') !== client.id || form.get('client_secret') !== client.secret) {
      return { status: 401, json: { error: 'invalid_client', error_description: 'Invalid client secret provided.' } };
    }
    const token = randomUUID();
    issued.set(token, scope);
    return { status: 200, json: { token_type: 'Bearer', expires_in: 3599, access_token: token } };
  }

  function meter(body: string): ProviderReply {
    const usage = JSON.parse(body) as Record<'resourceUri' | 'planId' | 'dimension' | 'effectiveStartTime', string>
      & { quantity: number };
    const { resourceUri, planId, dimension, effectiveStartTime, quantity } = usage;
    if (planId === '' || !(quantity > 0)) {
      return { status: 400, json: { message: 'One or more errors have occurred.', code: 'BadArgument' } };
    }
    const key = `${resourceUri}/${dimension}/${Math.floor(Date.parse(effectiveStartTime) / 3_600_000)}`;
    const before = counted.get(key);
    const message = { usageEventId: randomUUID(), messageTime: new Date().toISOString(), ...usage };
    if (before !== undefined) {
      return { status: 409, json: {
        additionalInfo: { acceptedMessage: { ...message, status: 'Duplicate', quantity: before } },
        message: 'This usage event already exist.', code: 'Conflict',
      } };
    }
    counted.set(key, quantity);
    return { status: 200, json: { ...message, status: 'Accepted' } };
  }

  const server = await fakeProvider(({ method, url = '', headers }, body) => {
    if (method === 'POST' && url === '/token') return issue(body);
    const scope = issued.get((headers.authorization ?? '').replace('Bearer ', ''));
    const path = new URL(url, 'http://localhost');
    if (path.pathname === '/api/usageEvent' && path.searchParams.get('api-version') === '2018-08-31') {
      if (scope !== audiences[1]) return { status: 401, json: { code: 'Unauthorized', message: 'bad token' } };
      return meter(body);
    }
    if (scope !== audiences[0]) {
      return { status: 401, json: { error: { code: 'AuthenticationFailed', message: 'bad token' } } };
    }
    const application = /^(\/subscriptions\/[^/]+)\/resourceGroups\/[^/]+\/providers\/[^/]+\/applications\/([^/]+)$/i
      .exec(path.pathname);
    if (application === null) {
      return { status: 404, json: { error: { code: 'ResourceNotFound', message: 'not found' } } };
    }
    return { status: 200, json: {
      id: path.pathname, properties: { managedResourceGroupId: `${application[1]}/resourceGroups/mrg-${application[2]}` },
    } };
  }, {
    500: { message: 'internal', code: 'InternalServerError' }, 429: { message: 'too many', code: 'TooManyRequests' },
  });
  return {
    ...server, counted,
    settings: {
      'marketplace.providerb.tenantID': 'tenant-of-spec', 'marketplace.providerb.clientID': client.id,
      'marketplace.providerb.clientSecret': client.secret, 'marketplace.providerb.tokenURL': `${server.url}/token`,
      'marketplace.providerb.resourceURL': server.url, 'marketplace.providerb.meteringURL': server.url,
    },
  };
}
