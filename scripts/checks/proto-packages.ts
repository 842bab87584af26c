import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Reserved {
  /** Top-level modules of Python's standard library, 3.8 to 3.14: `sys.stdlib_module_names` of all these versions. */
  readonly pythonLibrary: readonly string[];
  /** Reserved words of Go, Java and Python. */
  readonly keywords: readonly string[];
}

const reserved = JSON.parse(readFileSync(join(import.meta.dirname, 'reserved-names.json'), 'utf8')) as Reserved;

/** Returns why a language cannot import the code for a proto package (ADR 0157); undefined if there is no reason. */
export function packageProblem(name: string): string | undefined {
  const parts = name.split('.');
  if (reserved.pythonLibrary.includes(parts[0]!)) return `${parts[0]} is a module of Python's library`;
  const keyword = parts.find((part) => reserved.keywords.includes(part));
  return keyword === undefined ? undefined : `${keyword} is a keyword of Go, Java or Python`;
}

/** Returns the package in the text of a proto file; undefined if the file has no package. */
export function packageOf(text: string): string | undefined {
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
  return /^\s*package\s+([\w.]+)\s*;/m.exec(code)?.[1];
}

/** The packages of all protos below a folder, each with its files. */
export function protoPackages(folder: string): ReadonlyMap<string | undefined, readonly string[]> {
  const files = globSync('**/*.proto', { cwd: folder, exclude: ['**/node_modules'] }).sort();
  return Map.groupBy(files, (file) => packageOf(readFileSync(join(folder, file), 'utf8')));
}
