/**
 * A real Kubernetes for development and tests. It has one hub with Open Cluster Management and joined spokes. All of
 * them are plain processes of one binary. By default, the lab needs neither Docker nor root. It then has no nodes, so
 * workloads are stored but not scheduled. With the option `node`, which needs root, the first spoke has a real node
 * that runs workloads.
 *
 *   await using lab = await startLab({ home: '/path/.platform/lab', spokes: 2, environment: process.env, report });
 *   lab.hub.kubeconfig;       // path of a kubeconfig with cluster-admin rights
 */
export { type Api, ApiFault, openApi } from './api.ts';
export { type Lab, type LabCluster, type LabOptions, startLab } from './lab.ts';
export { labBinary } from './binary.ts';
export type { LabNode } from './node/node.ts';
export { missingForNode, nodePath } from './node/requirements.ts';
