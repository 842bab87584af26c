import { Fault, notFound } from '@platform/faults';
import type { InstallerServiceService } from '@platform/proto/marketplace/v1/installer';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { archiveFiles, buildArchive } from './build-archive.ts';
import { findArchive, openArchive } from './store.ts';

/**
 * GET /links/installer/{ownerID}/{installerName}/{installerId}-{random}/archive.tar.gz (open-points 11.2). Builds the
 * archive at each download. Only the sealed values are stored (ADR 0135).
 */
export function downloadArchive(
  { config, database, sealer }: Parts,
): Handler<typeof InstallerServiceService.downloadArchive> {
  return async ({ ownerId, installerName, archive: named }, { deadline }) => {
    const [, installerId, random] = /^([0-9a-v]{20})-([0-9a-f]{40})$/.exec(named) ?? [];
    const found = random === undefined ? undefined : await findArchive(database, random, { deadline });
    const isSame = found !== undefined && found.installerId === installerId && found.installerName === installerName
      && String(found.ownerId) === ownerId;
    if (!isSame) throw notFound('there is no installer archive at this link');
    const { keyId, bytes, isExpired } = found;
    if (isExpired || !keyId || !bytes) throw new Fault('FORBIDDEN', 'the link has expired: bind the installer again');
    const values = openArchive(sealer, { keyId, bytes }, found.random);
    const release = { chart: config.installerChart, namespace: config.installerNamespace };
    const data = await buildArchive(archiveFiles(values, release));
    return { body: { contentType: 'application/gzip', data, extensions: [] }, filename: 'archive.tar.gz' };
  };
}
