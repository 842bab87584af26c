import { access, readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

type Encoding = 'br' | 'gzip';

export interface DocsFile {
  readonly type: string;
  /** Whether the file name contains a hash of the content. */
  readonly isHashed: boolean;
  readonly plain: Buffer;
  /**
   * Returns the compressed content; undefined for PNG files and for files below 1,000 bytes. The content is compressed
   * only once per encoding.
   */
  encoded(encoding: Encoding): Promise<Buffer> | undefined;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** The folder with the built documents. In the sources and in the image, the app `site` is beside this app. */
const builtAt = join(import.meta.dirname, '../../../site/dist');
/** The built files have this text in place of the platform's path below its host (apps/site/src/strict-files.ts). */
const placeholder = '/__platform-base__';

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) };
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Returns a function that checks whether the documents are built. The function remembers that they are built. */
export function watchDocs(folder = builtAt): () => Promise<boolean> {
  let isBuilt = false;
  return async () => isBuilt ||= await access(join(folder, 'index.html')).then(() => true, () => false);
}

/**
 * Reads the built documents into memory. The keys are file names such as `rules/index.html`.
 * @param basePath path of the platform below its host, without a slash at the end
 * @returns undefined if the documents are not built
 */
export async function readDocs(basePath: string, folder = builtAt): Promise<ReadonlyMap<string, DocsFile> | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = entries.filter((one) => one.isFile()).map((one) => relative(folder, join(one.parentPath, one.name)));
  if (!names.includes('index.html')) return undefined;
  const files = new Map<string, DocsFile>();
  // Read the files one after the other, because a process may have few file handles.
  for (const name of names.filter((one) => types[extname(one)] !== undefined)) {
    files.set(name, fileOf(name, await readFile(join(folder, name)), basePath));
  }
  return files;
}

function fileOf(name: string, content: Buffer, basePath: string): DocsFile {
  const extension = extname(name);
  const isBinary = extension === '.png';
  const plain = isBinary ? content : Buffer.from(content.toString('utf8').replaceAll(placeholder, basePath));
  const made = new Map<Encoding, Promise<Buffer>>();
  return {
    type: types[extension]!,
    isHashed: /\.[\w-]{8}\.(?:lean\.)?\w+$/.test(name),
    plain,
    encoded: (encoding) => {
      if (isBinary || plain.length < 1_000) return undefined;
      const kept = made.get(encoding) ?? (encoding === 'br' ? compress.br(plain, quality) : compress.gzip(plain));
      made.set(encoding, kept);
      return kept;
    },
  };
}
