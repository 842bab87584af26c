interface CertificateProblem {
  readonly kind: 'authority' | 'name' | 'time';
  /** Contains nothing from the certificate: a user must not learn the certificate of an arbitrary server. */
  readonly message: string;
}

const authority: CertificateProblem = {
  kind: 'authority',
  message: 'the certificate of the cluster is signed by an authority that the kubeconfig does not trust; '
    + 'put the certificate of that authority into certificate-authority-data',
};
const name: CertificateProblem = {
  kind: 'name',
  message: 'the certificate of the cluster does not have the name that the kubeconfig uses; '
    + 'set tls-server-name, or the address of the server, to a name of the certificate',
};
const time: CertificateProblem = {
  kind: 'time',
  message: 'the certificate of the cluster has expired or is not valid yet; renew it, or check the clocks',
};

/** Problems by the error code of Node.js. */
const problems = new Map<unknown, CertificateProblem>([
  ...[
    'CERT_SIGNATURE_FAILURE', 'CERT_UNTRUSTED', 'CERT_REJECTED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'INVALID_CA',
    'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ].map((code) => [code, authority] as const),
  ['ERR_TLS_CERT_ALTNAME_INVALID', name],
  ['CERT_HAS_EXPIRED', time],
  ['CERT_NOT_YET_VALID', time],
]);

/** Returns the problem behind an error, or undefined if the error is not about a certificate. */
export function certificateProblem(error: unknown): CertificateProblem | undefined {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  return problems.get(code) ?? (cause === undefined ? undefined : certificateProblem(cause));
}
