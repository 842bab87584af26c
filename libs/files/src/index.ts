/** Storage, upload and download of files. */
export { download, type DownloadOptions, type DownloadPiece, type DownloadRequest } from './download.ts';
export { createFileLinks, type FileLinks } from './file-links.ts';
export type { FileStore, StoredFile } from './file-store.ts';
export { filePicks, type FileConfig, openFiles } from './open-files.ts';
export { createSignedLinks, type SignedLinks } from './signed-links.ts';
export { openFolderStore } from './folder-store.ts';
export { createUploads, extensionOf, type UploadedFile, type UploadRequest, type Uploads } from './uploads.ts';
