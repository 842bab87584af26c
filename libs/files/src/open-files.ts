import { join } from 'node:path';
import { type Config, ConfigError, environmentName, optional, type SettingKey } from '@platform/service';
import { openBucketStore } from './bucket-store.ts';
import { ownIdentity } from './config.ts';
import type { FileStore } from './file-store.ts';
import { openFolderStore } from './folder-store.ts';

export const filePicks = {
  home: optional('home'),
  filesStore: 'files.store',
  filesFolder: optional('files.folder'),
  filesEndpoint: optional('files.s3.endpoint'),
  filesRegion: 'files.s3.region',
  filesBucket: optional('files.s3.bucket'),
  filesAccessKey: optional('files.s3.accessKey'),
  filesSecretKey: optional('files.s3.secretKey'),
} as const;

export type FileConfig = Config<typeof filePicks>;

/** @throws ConfigError if a setting that the store needs is missing, Unavailable if the folder cannot be used */
export async function openFiles(config: FileConfig): Promise<FileStore> {
  if (config.filesStore === 'folder') {
    const inHome = config.home === undefined ? undefined : join(config.home, 'files');
    const { folder } = given({ folder: ['files.folder', config.filesFolder ?? inHome] });
    return openFolderStore(folder);
  }
  const { filesRegion: region, filesAccessKey, filesSecretKey } = config;
  const place = {
    endpoint: ['files.s3.endpoint', config.filesEndpoint], bucket: ['files.s3.bucket', config.filesBucket],
  } as const;
  if (filesAccessKey === undefined && filesSecretKey === undefined && ownIdentity !== undefined) {
    return openBucketStore({ region, ...given(place), keys: ownIdentity(region) });
  }
  const { endpoint, bucket, ...keys } = given({
    ...place, accessKey: ['files.s3.accessKey', filesAccessKey], secretKey: ['files.s3.secretKey', filesSecretKey],
  });
  return openBucketStore({ region, endpoint, bucket, keys: async () => keys });
}

type Needed = Readonly<Record<string, readonly [SettingKey, unknown]>>;
type Given<Wanted extends Needed> = { readonly [Name in keyof Wanted]: NonNullable<Wanted[Name][1]> };

/** Returns the values of the settings. @throws ConfigError that lists all missing settings */
function given<Wanted extends Needed>(wanted: Wanted): Given<Wanted> {
  const missing = Object.values(wanted).filter(([, value]) => value === undefined);
  if (missing.length > 0) {
    const [found, accepts] = ['is not set, but files.store requires it', 'a value, see docs/configuration.md'];
    throw new ConfigError(missing.map(([key]) => ({ key, where: environmentName(key), found, accepts })));
  }
  return Object.fromEntries(Object.entries(wanted).map(([name, [, value]]) => [name, value])) as Given<Wanted>;
}
