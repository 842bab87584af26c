import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { IncomingMessage } from 'node:http';
import type { Answer } from '@platform/http';

interface ConsoleFile {
  /** Path in the build, such as `assets/main-x7Gk2.js`. */
  readonly name: string;
  readonly type: string;
  readonly plain: Buffer;
  /** The compressed content, by encoding (`br`, `gzip`). Empty if the build did not compress the file. */
  readonly encoded: ReadonlyMap<string, Buffer>;
}

export interface ConsoleBuild {
  /** The HTML page, with placeholders that {@link consolePage} replaces. */
  readonly page: string;
  /** The files in the folder `assets` of the build. Their names contain a hash. */
  readonly files: readonly ConsoleFile[];
}

/** The suffix of each encoding's files. The encoding that compresses better comes first. */
const suffixes = [['br', '.br'], ['gzip', '.gz']] as const;

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** The folder with the built console. In the sources and in the image, the app `console` is beside this app. */
const builtAt = join(import.meta.dirname, '../../../console/dist');

/** Reads the built console into memory. @throws Error, for example if the console is not built */
export async function readConsole(folder = builtAt): Promise<ConsoleBuild> {
  const assets = join(folder, 'assets');
  const [page, names] = await Promise.all([readFile(join(folder, 'index.html'), 'utf8'), readdir(assets)])
    .catch((cause: unknown) => {
      throw new Error('the console is not built: run `npx nx build console`', { cause });
    });
  const files: ConsoleFile[] = [];
  // Read the files one after the other, because a process may have few file handles.
  for (const name of names.filter((one) => types[extname(one)] !== undefined)) {
    const file = join(assets, name);
    const encoded = new Map<string, Buffer>();
    for (const [encoding, suffix] of suffixes) {
      if (names.includes(name + suffix)) encoded.set(encoding, await readFile(file + suffix));
    }
    files.push({ name: `assets/${name}`, type: types[extname(name)]!, plain: await readFile(file), encoded });
  }
  return { page, files };
}

/** Returns the answer with a file. Clients may cache the file for a year, because its name changes with its content. */
export function fileAnswer({ type, plain, encoded }: ConsoleFile, request: IncomingMessage): Answer {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const [encoding, body] = [...encoded].find(([one]) => accepts(accepted, one)) ?? [undefined, plain];
  return {
    status: 200,
    headers: [
      ['Content-Type', type],
      ['Cache-Control', 'public, max-age=31536000, immutable'],
      ['Vary', 'Accept-Encoding'],
      ...(encoding === undefined ? [] : [['Content-Encoding', encoding] satisfies [string, string]]),
    ],
    body,
  };
}

/**
 * Whether a header such as `Accept` or `Accept-Encoding` names a value and does not exclude it by `q=0`
 * (RFC 9110 §12.4.2). Wildcards do not count.
 * @param value in lower case
 */
export function accepts(header: string, value: string): boolean {
  return header.split(',').some((entry) => {
    const [name, ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    return name === value && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
