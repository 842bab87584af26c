/** The chart that an archive installs, and the namespace for the chart: settings `marketplace.installer.*`. */
export interface InstallerRelease {
  readonly chart: string;
  readonly namespace: string;
}

/** A shell script that runs Helm 3. Values that a customer chose are in `values.yaml`, not in the script. */
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

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
