import { stringify } from 'yaml';

/** Values for the Helm chart of the licence proxy (open-points 6.4). */
export type ChartValues =
  | { readonly platform: { readonly baseURL: string; readonly token: string } }
  | { readonly encodedLicenses: Readonly<Record<string, string>> };

/** The chart is `oci://{host}/{path}/{chart}`, `{repository}/{chart}`, or `{chart}`. */
type ProxyRelease = { readonly chart: string; readonly namespace: string };

const release = 'license-proxyserver';
const valuesSecret = `${release}-values`;

/**
 * Returns a shell script that runs Helm. Helm reads the values from standard input, because other users of the machine
 * can read the arguments of a process.
 */
export function helmScript(values: ChartValues, { chart, namespace }: ProxyRelease): string {
  return `#!/bin/sh
# Installs the licence proxy into the current cluster, or updates it. Needs Helm 3. This file holds secrets.
set -eu

helm upgrade --install ${release} ${shellQuoted(chart)} \\
  --namespace ${shellQuoted(namespace)} --create-namespace \\
  --values - <<'VALUES'
${yaml(values)}VALUES
`;
}

/** Manifests for `kubectl apply`. Flux installs the release from them. */
export function manifests(values: ChartValues, { chart, namespace }: ProxyRelease): string {
  const { name, repository, url } = chartSource(chart);
  const documents = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    {
      apiVersion: 'v1', kind: 'Secret', metadata: { name: valuesSecret, namespace }, type: 'Opaque',
      stringData: { 'values.yaml': yaml(values) },
    },
    ...(url === undefined ? [] : [{
      apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'HelmRepository', metadata: { name: repository, namespace },
      spec: { type: 'oci', url, interval: '1h' },
    }]),
    {
      apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease', metadata: { name: release, namespace },
      spec: {
        interval: '1h',
        chart: { spec: { chart: name, sourceRef: { kind: 'HelmRepository', name: repository } } },
        valuesFrom: [{ kind: 'Secret', name: valuesSecret }],
      },
    },
  ];
  return documents.map(yaml).join('---\n');
}

/**
 * Returns the names of a chart and of its HelmRepository. `url` is the address of the OCI registry that contains the
 * chart. If the chart is in no OCI registry, `url` is absent, and the HelmRepository must already exist.
 */
function chartSource(chart: string): { name: string; repository: string; url?: string } {
  const slash = chart.lastIndexOf('/');
  const [parent, name] = [chart.slice(0, Math.max(slash, 0)), chart.slice(slash + 1)];
  if (/^oci:\/\/./.test(parent)) return { name, repository: release, url: parent };
  return { name, repository: parent === '' ? name : parent };
}

/** Writes string values in double quotes with JSON escapes, so that YAML reads them as strings. */
function yaml(value: object): string {
  return stringify(value, {
    defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN', doubleQuotedAsJSON: true, lineWidth: 0,
  });
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
