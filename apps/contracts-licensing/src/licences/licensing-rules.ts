import type { Config } from '../config.ts';

type DeploymentType = Config['deploymentType'];

const demonstrations: readonly DeploymentType[] = ['CloudDemo', 'OnpremDemo', 'KubeAppDemo'];

/** Whether clusters without a contract get a trial (open-points 6.2). */
export function givesTrials({ licenseTrial, deploymentType }: Config): boolean {
  return licenseTrial === 'auto' ? deploymentType === 'Hosted' : licenseTrial === 'on';
}

/** Whether clusters may register their licences themselves (open-points 6.3). */
export function permitsRegistration({ licenseSelfRegistration, deploymentType }: Config): boolean {
  if (licenseSelfRegistration !== 'auto') return licenseSelfRegistration === 'on';
  return !demonstrations.includes(deploymentType);
}
