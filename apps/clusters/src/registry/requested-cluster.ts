import { type ClusterAccess, parseKubeconfig } from '@platform/kubernetes';
import type { ClusterChange, ClusterInput } from '@platform/proto/clusters/v1/cluster';
import { controlCharacterProblem, invalidValue, lengthProblem, uuidProblem, Violations } from '@platform/values';

export interface RequestedCluster {
  readonly name: string;
  /** Undefined if the request has no UID. The UID is then read from the cluster. */
  readonly uid: string | undefined;
  readonly kubeconfig: string | undefined;
  readonly access: ClusterAccess | undefined;
  /** If undefined, a known cluster keeps its display name, and a new cluster gets none. */
  readonly displayName: string | undefined;
  readonly provider: string | undefined;
  readonly mustBeHub: boolean;
}

/** Checks and parses a request to import a cluster. @throws Fault INVALID_VALUE */
export function requestedCluster(request: ClusterInput): RequestedCluster {
  const { displayName, provider, hub, kubeconfig } = request;
  const name = request.name!.trim();
  const uid = request.uid === '' ? undefined : request.uid.toLowerCase();
  const violations = new Violations();
  violations.note('name', textProblem(name, 1));
  violations.note('displayName', textProblem(displayName, 0));
  violations.note('provider', textProblem(provider, 1));
  if (uid !== undefined) violations.note('uid', uuidProblem(uid));
  if (uid === undefined && kubeconfig === undefined) violations.note('uid', 'is required without a kubeconfig');
  if (hub && kubeconfig === undefined) violations.note('kubeconfig', 'is required for a hub');
  violations.refuse(invalidValue);
  const access = kubeconfig === undefined ? undefined : parseKubeconfig(kubeconfig);
  return { name, uid, kubeconfig, access, displayName, provider, mustBeHub: hub };
}

/** A change of a cluster, as the request describes it. Undefined fields stay unchanged. */
export type RequestedChange = Pick<RequestedCluster, 'displayName' | 'kubeconfig' | 'access'>;

/** @throws Fault INVALID_VALUE */
export function requestedChange({ displayName, kubeconfig }: ClusterChange): RequestedChange {
  const violations = new Violations();
  violations.note('displayName', textProblem(displayName, 0));
  violations.refuse(invalidValue);
  return { displayName, kubeconfig, access: kubeconfig === undefined ? undefined : parseKubeconfig(kubeconfig) };
}

function textProblem(text: string | undefined, least: number): string | undefined {
  if (text === undefined) return undefined;
  return lengthProblem(text, { least, most: 100 }) ?? controlCharacterProblem(text);
}
