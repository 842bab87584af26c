/** The messages contain nothing from the certificate: a user must not learn the certificate of an arbitrary server. */
const messages = {
  authority: 'the certificate of the cluster is signed by an authority that the kubeconfig does not trust; '
    + 'put the certificate of that authority into certificate-authority-data',
  name: 'the certificate of the cluster does not have the name that the kubeconfig uses; '
    + 'set tls-server-name, or the address of the server, to a name of the certificate',
  time: 'the certificate of the cluster has expired or is not valid yet; renew it, or check the clocks',
};

/** Kinds of problems by the error code of Node.js. */
const kinds = new Map<unknown, keyof typeof messages>([
  ...[
    'CERT_SIGNATURE_FAILURE', 'CERT_UNTRUSTED', 'CERT_REJECTED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'INVALID_CA',
    'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ].map((code) => [code, 'authority'] as const),
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'name'],
  ['CERT_HAS_EXPIRED', 'time'],
  ['CERT_NOT_YET_VALID', 'time'],
]);

/** Finds a known problem of a certificate in an error and its causes. Returns undefined if there is none. */
export function certificateProblem(
  error: unknown,
): { readonly kind: keyof typeof messages; readonly message: string } | undefined {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  const kind = kinds.get(code);
  if (kind !== undefined) return { kind, message: messages[kind] };
  return cause === undefined ? undefined : certificateProblem(cause);
}
