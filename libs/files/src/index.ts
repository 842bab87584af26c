export type { FileStore } from './file-store.ts';
export { filePicks, type FileConfig, openFiles } from './open-files.ts';
