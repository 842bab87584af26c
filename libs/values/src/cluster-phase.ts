/** How a cluster in the registry is (open-points 8.2). Nothing reports what other phases follow from. */
export type ClusterPhase = 'Registered' | 'Active' | 'NotConnected' | 'Lost';

const minuteMs = 60_000;
const connectedMs = 10 * minuteMs;
const lostMs = 30 * 24 * 60 * minuteMs;

/** The phase that follows from the last contact; without one the import has only begun. */
export function clusterPhase(lastContactAt: Date | null, now: Date): ClusterPhase {
  if (lastContactAt === null) return 'Registered';
  const age = now.getTime() - lastContactAt.getTime();
  if (age <= connectedMs) return 'Active';
  return age <= lostMs ? 'NotConnected' : 'Lost';
}
