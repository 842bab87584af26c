/** The phases of open-points 8.2 that occur. The platform has no data for the other phases. */
export type ClusterPhase = 'Registered' | 'Active' | 'NotConnected' | 'Lost';

const connectedMs = 10 * 60_000;
/** How long a cluster may be without a contact before it is lost, in milliseconds. */
export const lostMs = 30 * 24 * 60 * 60_000;

/** The phase that follows from the last contact. A cluster without any contact is `Registered`. */
export function clusterPhase(lastContactAt: Date | null, now: Date): ClusterPhase {
  if (lastContactAt === null) return 'Registered';
  const age = now.getTime() - lastContactAt.getTime();
  if (age <= connectedMs) return 'Active';
  return age <= lostMs ? 'NotConnected' : 'Lost';
}
