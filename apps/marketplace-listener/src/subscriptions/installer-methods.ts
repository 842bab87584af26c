import type { InstallerAdminServiceService } from '@platform/proto/marketplace/v1/installer';
import type { Handlers } from '@platform/rpc';
import { resealAll } from '@platform/writes';
import { sealedArchives } from '../archive/store.ts';
import { listInstallers } from '../installers/list-installers.ts';
import { sealedTokens } from '../installers/store.ts';
import type { Parts } from '../parts.ts';
import { createInstaller } from './create-installer.ts';

export function installerMethods(parts: Parts): Handlers<typeof InstallerAdminServiceService> {
  const { database, sealer } = parts;
  return {
    createInstaller: createInstaller(parts),
    listSiteInstallers: listInstallers(parts),
    listInstallers: listInstallers(parts),
    rotateKeys: async (_request, { deadline }) =>
      resealAll((act) => database.transact(act, { deadline }), sealer, [sealedTokens, sealedArchives]),
  };
}
