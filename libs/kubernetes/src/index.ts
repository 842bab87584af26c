/**
 * The one door to Kubernetes API servers that somebody else runs.
 *
 *   const access = parseKubeconfig(text);              // refuses what this process must not do
 *   await using cluster = openCluster(access);
 *   const { uid, version, nodeCount } = await describeCluster(cluster, deadline);
 *
 * Every call has a deadline. A failure is a Fault: UNAVAILABLE, DEADLINE_EXCEEDED or BAD_UPSTREAM, without credentials.
 */
export { type ClusterConnection, openCluster } from './connection.ts';
export { type ClusterDescription, describeCluster } from './describe-cluster.ts';
export { type ClusterAccess, parseKubeconfig } from './kubeconfig.ts';
