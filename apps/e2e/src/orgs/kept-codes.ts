import { createHmac } from 'node:crypto';
import type { World } from './world.ts';

/** The hash that orgs-teams stores instead of a secret text. */
function hashedBy({ platform }: Pick<World, 'platform'>, text: string): Buffer {
  return createHmac('sha256', platform.settings['orgs-teams']['secrets.tokenKey']!).update(text).digest();
}

/** The stored hash of a browser's cookie. */
export function keptBrowser(world: Pick<World, 'platform'>, browser: string): Buffer {
  return hashedBy(world, `browser/${browser}`);
}

/** The stored hash of a link's code. @param browser the browser that requested it, if the code works only there */
export function keptCode(world: Pick<World, 'platform'>, kind: string, code: string, browser?: Buffer): Buffer {
  return hashedBy(world, `code/${kind}${browser === undefined ? '' : `/${browser.toString('hex')}`}/${code}`);
}
