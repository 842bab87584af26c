import { readdir, readFile } from 'node:fs/promises';

const folder = new URL('../../definitions/', import.meta.url);

/** The custom resource definitions that a hub needs beside those of Open Cluster Management, in YAML. */
export async function readDefinitions(): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
  return await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
}
