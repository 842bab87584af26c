import { dirname, join } from 'node:path/posix';
import ts from 'typescript';

/** Sibling folders that all import each other, directly or indirectly. */
export interface FolderCircle {
  /** The folder that contains these folders. */
  readonly place: string;
  readonly folders: readonly string[];
  /** An example import, as `file -> file`, for each pair of folders where the first directly imports the second. */
  readonly imports: readonly string[];
}

/**
 * Finds the files that all import each other, directly or indirectly, also if they import only types.
 * @param texts sources by their path
 */
export function fileCircles(texts: ReadonlyMap<string, string>): string[][] {
  return circlesOf(new Map([...texts].map(([file, text]) => [
    file, new Map(importsOf(file, text, texts).map((imported) => [imported, `${file} -> ${imported}`])),
  ])));
}

/**
 * Finds the import cycles among sibling folders, in the order of the files.
 * @param texts sources by their path
 */
export function folderCircles(texts: ReadonlyMap<string, string>): FolderCircle[] {
  const places = new Map<string, Map<string, Map<string, string>>>();
  for (const [file, text] of texts) {
    for (const imported of importsOf(file, text, texts)) {
      const [from, to] = [file.split('/'), imported.split('/')];
      const depth = from.findIndex((part, index) => part !== to[index]);
      if (depth < 0 || depth >= from.length - 1 || depth >= to.length - 1) continue;
      const arrows = entryOf(places, from.slice(0, depth).join('/'), () => new Map<string, Map<string, string>>());
      const targets = entryOf(arrows, from[depth]!, () => new Map<string, string>());
      entryOf(targets, to[depth]!, () => `${file} -> ${imported}`);
    }
  }
  return [...places].flatMap(([place, arrows]) => circlesOf(arrows).map((folders) => ({
    place,
    folders,
    imports: folders.flatMap((from) => folders.flatMap((to) => arrows.get(from)?.get(to) ?? [])),
  })));
}

function importsOf(file: string, text: string, texts: ReadonlyMap<string, string>): string[] {
  return ts.preProcessFile(text, true, true).importedFiles
    .map(({ fileName }) => (fileName.startsWith('.') ? join(dirname(file), fileName) : ''))
    .filter((imported) => texts.has(imported));
}

function circlesOf(arrows: ReadonlyMap<string, ReadonlyMap<string, string>>): string[][] {
  const reached = new Map([...arrows.keys()].map((folder) => [folder, reachedFrom(folder, arrows)]));
  const circles = [...reached].filter(([folder, all]) => all.has(folder)).map(([folder, all]) =>
    [...all].filter((other) => reached.get(other)?.has(folder) === true).sort());
  return circles.filter((circle, index) => circles.findIndex(([first]) => first === circle[0]) === index);
}

function reachedFrom(folder: string, arrows: ReadonlyMap<string, ReadonlyMap<string, string>>): Set<string> {
  const reached = new Set<string>();
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const target of arrows.get(next)?.keys() ?? []) {
      if (!reached.has(target)) open.push(target);
      reached.add(target);
    }
  }
  return reached;
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
