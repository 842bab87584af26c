/** What a certificate lets its holder do on gRPC ports. */
const peerRoles = ['service', 'operator', 'client'] as const;
/**
 * `service`: a service of the platform, may call internal methods; `operator`: the operator's command line, may too;
 * `client`: anybody else, who needs a token as over REST.
 */
export type PeerRole = (typeof peerRoles)[number];

/** Who a certificate of the platform's authority names. */
export interface PeerIdentity {
  readonly role: PeerRole;
  /** Of a service its folder in `apps/`. */
  readonly name: string;
}

/** The SPIFFE id that stands for an identity in a certificate: `spiffe://platform/service/orgs-teams`. */
export function identityUri({ role, name }: PeerIdentity): string {
  return `spiffe://platform/${role}/${name}`;
}

/**
 * The identity in the alternative names of a certificate, as Node writes them (`URI:…, DNS:…`). Undefined without
 * exactly one id of ours: what SPIFFE demands, and what an authority that also signs others' certificates rests on.
 */
export function identityOf(subjectAltName: string | undefined): PeerIdentity | undefined {
  // Node quotes names with characters of its own notation; we never issue such a name.
  const uris = (subjectAltName ?? '').split(', ').filter((name) => name.startsWith('URI:'));
  const [, role, name] = /^URI:spiffe:\/\/platform\/([a-z]+)\/([a-z0-9][a-z0-9._-]*)$/.exec(uris[0] ?? '') ?? [];
  const known = peerRoles.find((candidate) => candidate === role);
  return uris.length === 1 && known !== undefined && name !== undefined ? { role: known, name } : undefined;
}
