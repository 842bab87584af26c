import type { OidcFlow } from '@platform/oidc';
import { Secret, type Sealer } from '@platform/service';

/** A sign-in that is under way at a provider. */
export interface FlowUnderWay extends OidcFlow {
  /** Name of the provider. An answer of another provider is refused. */
  readonly provider: string;
  /** Path of the page to which the user returns after the sign-in. */
  readonly to: string;
  /** Time at which the flow expires, in Unix milliseconds. */
  readonly until: number;
  /** Set only by BindIdentity: ids of the caller's account and token. The flow binds a subject to this account. */
  readonly bind?: { readonly accountId: number; readonly tokenId: number };
}

/** How long a user may take to sign in at the provider, in milliseconds (open-points 18.3). */
export const flowMs = 600_000;

const identity = 'oidc-flow';

/** Returns the encrypted value of the cookie. */
export function sealFlow(sealer: Sealer, flow: FlowUnderWay): string {
  const { keyId, bytes } = sealer.seal(new Secret(JSON.stringify(flow)), identity);
  return `${keyId}.${bytes.toString('base64url')}`;
}

/** Decrypts the value of the cookie. Returns undefined if the value is invalid or has expired. */
export function openFlow(sealer: Sealer, cookie: string): FlowUnderWay | undefined {
  const [, keyId, bytes] = /^([0-9a-f]{16})\.([\w-]{40,4000})$/.exec(cookie) ?? [];
  if (keyId === undefined || !sealer.keyIds.includes(keyId)) return undefined;
  try {
    const opened = sealer.open({ keyId, bytes: Buffer.from(bytes!, 'base64url') }, identity);
    const flow = JSON.parse(opened.reveal()) as FlowUnderWay;
    return flow.until > Date.now() ? flow : undefined;
  } catch {
    return undefined;
  }
}
