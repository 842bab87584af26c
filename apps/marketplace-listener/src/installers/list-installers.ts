import { byId, pageOf, readPage } from '@platform/lists';
import type { InstallerAdminServiceService } from '@platform/proto/marketplace/v1/installer';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { countInstallers, type InstallerRow, listedInstallers } from './store.ts';

const mostInstallers = 1_000;

/** Lists the installers that have an owner, for `platform admin installer list` and for site admins. */
export function listInstallers({ database }: Parts): Handler<typeof InstallerAdminServiceService.listInstallers> {
  return async ({ after }, { deadline }) => {
    const page = pageOf({ after }, { largestUnpaged: mostInstallers });
    const listed = await readPage<Omit<InstallerRow, 'ownerId'>>(
      database, { rows: listedInstallers, order: byId, count: countInstallers }, page, deadline,
    );
    const { items, next } = listed!;
    const installers = items.map(({ publicId, marketplace, name, ownerName, clusterUid }) => ({
      installerId: publicId, marketplace, name, owner: ownerName, state: clusterUid === null ? 'Pending' : 'Bound',
      clusterId: clusterUid ?? undefined,
    }));
    return { installers, next };
  };
}
