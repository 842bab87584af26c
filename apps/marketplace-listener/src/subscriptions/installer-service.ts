import { InstallerAdminServiceService, InstallerServiceService } from '@platform/proto/marketplace/v1/installer';
import { implement, type Implementation } from '@platform/rpc';
import { reseal } from '@platform/writes';
import { downloadArchive } from '../archive/download-archive.ts';
import { sealedArchives } from '../archive/store.ts';
import { listInstallers } from '../installers/list-installers.ts';
import { sealedTokens } from '../installers/store.ts';
import type { Parts } from '../parts.ts';
import { createInstaller } from './create-installer.ts';

/** Installers, for customers and the operator. */
export function installerServices(parts: Parts): readonly Implementation[] {
  const { database, sealer } = parts;
  return [
    implement(InstallerServiceService, { downloadArchive: downloadArchive(parts) }),
    implement(InstallerAdminServiceService, {
      createInstaller: createInstaller(parts),
      listSiteInstallers: listInstallers(parts),
      listInstallers: listInstallers(parts),
      rotateKeys: async (_request, { deadline }) => {
        const transact: Parameters<typeof reseal>[0] = (act) => database.transact(act, { deadline });
        const tokens = await reseal(transact, sealer, sealedTokens);
        const archives = await reseal(transact, sealer, sealedArchives);
        return {
          resealed: tokens.resealed + archives.resealed, unreadable: tokens.unreadable + archives.unreadable,
        };
      },
    }),
  ];
}
