/**
 * A real Kubernetes to develop and test against: API servers with Open Cluster Management, one hub and joined spokes,
 * as plain processes of one binary. No Docker, no root, no nodes: workloads are stored and never scheduled. With
 * `node`, as root, the first spoke has a real node that runs them.
 *
 *   await using lab = await startLab({ home: '/path/.platform/lab', spokes: 2, environment: process.env, report });
 *   lab.hub.kubeconfig;       // path of a kubeconfig with cluster-admin rights
 */
export { type Api, ApiFault, openApi } from './api.ts';
export { type Lab, type LabCluster, type LabOptions, startLab } from './lab.ts';
export { labBinary } from './binary.ts';
export type { LabNode } from './node/node.ts';
export { missingForNode, nodePath } from './node/requirements.ts';
