import type { OidcServiceService } from '@platform/proto/orgs/v1/oidc';
import { unavailable } from '@platform/faults';
import { type CallContext, type Handler, refuseNarrowToken } from '@platform/rpc';
import { Unavailable } from '@platform/service';
import { invalidParameter } from '@platform/values';
import type { Parts } from '../parts.ts';
import { personCalling } from '../users/own-account.ts';
import { type FlowUnderWay, flowMs, sealFlow } from './flow-cookie.ts';
import { providerOf } from './providers.ts';

/** GET /auth/providers (open-points 18.3). */
export function listProviders({ providers }: Parts): Handler<typeof OidcServiceService.listProviders> {
  return async () => {
    const items = [...providers.values()].map(({ setting: { name, title } }) => ({ name, title }));
    return { providers: { items } };
  };
}

/** GET /auth/oidc/{provider} (open-points 18.3). */
export function beginOidc(parts: Parts): Handler<typeof OidcServiceService.beginOidc> {
  return async ({ provider, to = '/' }, context) => begin(parts, { provider, to: pathOf(to) }, context);
}

/**
 * POST /user/identities/{provider} (open-points 18.3). Needs the scope `all`, because sessions through the provider
 * have this scope.
 */
export function bindIdentity(parts: Parts): Handler<typeof OidcServiceService.bindIdentity> {
  return async ({ provider, to = '/account' }, context) => {
    const { id: accountId, tokenId } = personCalling(context.caller);
    refuseNarrowToken(context.caller);
    const { location, flow } = await begin(parts, { provider, to: pathOf(to), bind: { accountId, tokenId } }, context);
    return { provider: { location }, flow };
  };
}

async function begin(
  { providers, sealer }: Parts, asked: Pick<FlowUnderWay, 'provider' | 'to' | 'bind'>, { deadline }: CallContext,
): Promise<{ location: string; flow: string }> {
  const { protocol } = providerOf(providers, asked.provider);
  const { url, flow } = await protocol.begin(deadline).catch((cause: unknown) => {
    if (cause instanceof Unavailable) throw unavailable(`the provider ${asked.provider}`, cause);
    throw cause;
  });
  return { location: url, flow: sealFlow(sealer, { ...flow, ...asked, until: Date.now() + flowMs }) };
}

/** Checks the path to which the user returns: it must be a path of the platform. @throws Fault INVALID_PARAMETER */
function pathOf(to: string): string {
  if (/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(to) && to.length <= 1_000) return to;
  throw invalidParameter('to', 'must be a path of the platform, such as /account, of at most 1000 characters');
}
