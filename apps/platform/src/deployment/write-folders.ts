import { chmod, chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivately } from '../private-file.ts';
import type { PartFiles } from './parts.ts';

/** Numeric ids of the user and the group to which the files belong. */
export type Owner = { readonly user: number; readonly group: number };

/** Writes the files of each part into a folder with the name of the part. Only the owner may read the files. */
export async function writeFolders(folder: string, parts: PartFiles, owner: Owner | undefined): Promise<void> {
  for (const [part, files] of parts) {
    const own = join(folder, part);
    await mkdir(own, { recursive: true, mode: 0o700 });
    // The folder may exist already, with access for other users, for example if Docker created it for a mount.
    await chmod(own, 0o700);
    if (owner !== undefined) await chown(own, owner.user, owner.group);
    for (const [name, content] of Object.entries(files)) {
      await writePrivately(join(own, name), content);
      if (owner !== undefined) await chown(join(own, name), owner.user, owner.group);
    }
  }
}
