import type { InstallerRelease } from './install-script.ts';
import type { ArchiveValues } from './values.ts';

/**
 * Returns the file `README.md`. The inserted values are slugs, ids, settings and the name of the marketplace, so they
 * need no escaping.
 */
export function readme(values: ArchiveValues, { chart, namespace }: InstallerRelease): string {
  const { marketplace, installerId, installerName, owner, clusterId, adminUsername } = values;
  return `# Installer ${installerName}

Installs the platform that was bought through ${marketplace} into your cluster.

| | |
|---|---|
| Installer | ${installerName} (${installerId}) |
| Account | ${owner.name} |
| Cluster | ${clusterId} |
| Administrator | ${adminUsername} |
| Chart | ${chart} |
| Namespace | ${namespace} |

## Install
1. Point kubectl at the cluster above: \`kubectl get namespace kube-system -o jsonpath='{.metadata.uid}'\` prints
   the id of the current cluster.
2. Run \`./install.sh\`. It needs Helm 3, checks the files against \`SHA256SUMS\`, and may be run again. Its arguments
   are passed to Helm, for example \`--dry-run\`.

## Files
- \`values.yaml\`: the values of the chart. It holds the password of the administrator and other secrets: keep it safe.
- \`install.sh\`: installs the chart with these values.
- \`SHA256SUMS\`: checksums of the other files.
`;
}
