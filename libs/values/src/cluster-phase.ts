/** The phases that follow from the last contact of a cluster (open-points 8.2). */
export type ClusterPhase = 'Registered' | 'Active' | 'NotConnected' | 'Lost';

const connectedMs = 10 * 60_000;
/** How long a cluster may be without a contact before it is lost, in milliseconds. */
export const lostMs = 30 * 24 * 60 * 60_000;

/** Returns the phase of a cluster. @param lastContactAt null if the cluster has never had a contact */
export function clusterPhase(lastContactAt: Date | null, now: Date): ClusterPhase {
  if (lastContactAt === null) return 'Registered';
  const age = now.getTime() - lastContactAt.getTime();
  if (age <= connectedMs) return 'Active';
  return age <= lostMs ? 'NotConnected' : 'Lost';
}
