/** The chart that an archive installs, and its namespace. */
export interface InstallerRelease {
  /** `marketplace.installer.chart` */
  readonly chart: string;
  /** `marketplace.installer.namespace` */
  readonly namespace: string;
}

/**
 * A shell script that installs the platform with Helm 3. It contains no value that a customer chose: Helm reads these
 * values from the file `values.yaml`.
 */
export function installScript({ chart, namespace }: InstallerRelease): string {
  return `#!/bin/sh
# Installs the platform into the current cluster, or updates it. Needs Helm 3.
set -eu

cd "$(dirname "$0")"

if command -v sha256sum >/dev/null 2>&1; then
  sha256sum --check --quiet SHA256SUMS
else
  shasum --algorithm 256 --check --quiet SHA256SUMS
fi

helm upgrade --install platform ${shellQuoted(chart)} \\
  --namespace ${shellQuoted(namespace)} --create-namespace \\
  --values values.yaml "$@"
`;
}

/** Quotes a text, so that the shell reads it as one word. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
