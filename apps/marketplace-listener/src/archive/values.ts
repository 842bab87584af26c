/**
 * The values from which the archive of an installer is built. The archive depends only on these values and the settings
 * `marketplace.installer.*`.
 */
export interface ArchiveValues {
  /** Address of the platform that created the installer. */
  readonly baseUrl: string;
  readonly marketplace: string;
  readonly installerId: string;
  readonly installerName: string;
  readonly owner: { readonly id: number; readonly name: string };
  /** UUID. */
  readonly clusterId: string;
  readonly providerAAccountID: string | undefined;
  readonly adminUsername: string;
  readonly adminPassword: string;
  readonly domainWhiteList: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}
