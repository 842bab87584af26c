/** Roles in certificates. A role decides what the holder of the certificate may do on gRPC ports. */
const peerRoles = ['service', 'operator', 'client'] as const;
/**
 * `service`: a service of the platform. `operator`: the operator's command line. Both may call internal methods.
 * `client`: any other caller, with the same access rules as over REST.
 */
export type PeerRole = (typeof peerRoles)[number];

export interface PeerIdentity {
  readonly role: PeerRole;
  /** Name of the holder. For a service: the name of its folder in `apps/`. */
  readonly name: string;
}

/** The SPIFFE id of an identity in a certificate: `spiffe://platform/service/orgs-teams`. */
export function identityUri({ role, name }: PeerIdentity): string {
  return `spiffe://platform/${role}/${name}`;
}

/**
 * Reads the identity from the alternative names of a certificate in Node's notation (`URI:…, DNS:…`). Undefined unless
 * there is exactly one URI, and this URI is an id of the platform. SPIFFE requires a single URI.
 */
export function identityOf(subjectAltName: string | undefined): PeerIdentity | undefined {
  // Node quotes names that contain characters such as a comma. The platform never issues such a name.
  const uris = (subjectAltName ?? '').split(', ').filter((name) => name.startsWith('URI:'));
  const [, role, name] = /^URI:spiffe:\/\/platform\/([a-z]+)\/([a-z0-9][a-z0-9._-]*)$/.exec(uris[0] ?? '') ?? [];
  const known = peerRoles.find((candidate) => candidate === role);
  return uris.length === 1 && known !== undefined && name !== undefined ? { role: known, name } : undefined;
}
