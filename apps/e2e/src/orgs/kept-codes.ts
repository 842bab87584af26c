import { createHmac } from 'node:crypto';
import type { World } from './world.ts';

/** What orgs-teams keeps in place of a secret text. */
function hashedBy({ platform }: Pick<World, 'platform'>, text: string): Buffer {
  return createHmac('sha256', platform.settings['orgs-teams']['secrets.tokenKey']!).update(text).digest();
}

/** What is kept of the name that a browser has from us. */
export function keptBrowser(world: Pick<World, 'platform'>, browser: string): Buffer {
  return hashedBy(world, `browser/${browser}`);
}

/** What is kept of the code of a link. @param browser the one that asked, where the code works in it alone */
export function keptCode(world: Pick<World, 'platform'>, kind: string, code: string, browser?: Buffer): Buffer {
  return hashedBy(world, `code/${kind}${browser === undefined ? '' : `/${browser.toString('hex')}`}/${code}`);
}
