import { listenerPrefix } from '@platform/surface';

import type { HttpAnswer } from './http-answer.ts';

/** Whether the deployment lacks this route below `/marketplace/`: it answers the console page (open-points 18.9). */
export function isConsolePage(target: string, answer: HttpAnswer): boolean {
  return target.startsWith(listenerPrefix) && answer.status === 200
    && answer.header('content-type')?.startsWith('text/html') === true;
}
