/**
 * A real Kubernetes for development and tests: a hub with Open Cluster Management, and spokes that have joined the hub.
 * The clusters are plain processes of one binary, without Docker. By default, the lab does not need root and has no
 * nodes: workloads are stored but do not run. The option `node` needs root. It gives the first spoke a real node that
 * runs workloads.
 *
 *   await using lab = await startLab({ home: '/path/.platform/lab', spokes: 2, environment: process.env, report });
 *   lab.hub.kubeconfig;       // path of a kubeconfig with cluster-admin rights
 */
export { type Api, ApiFault, openApi } from './api.ts';
export { type Lab, type LabCluster, type LabOptions, startLab } from './lab.ts';
export { labBinary } from './binary.ts';
export type { LabNode } from './node/node.ts';
export { missingForNode, nodePath } from './node/requirements.ts';
