/** Where jest's environment puts its loader. */
export const loaderKey = Symbol.for('platform.testing.loader');

/**
 * Loads a module outside of the contexts that jest makes for each spec file, so that a worker loads it once: for what
 * is large, only read, and the same for all files. Without jest, in a proof, it is loaded as usual.
 *
 * @param file URL of the module.
 */
export async function loadOnce<Module>(file: URL): Promise<Module> {
  const load = (globalThis as { [loaderKey]?: (url: string) => Promise<unknown> })[loaderKey];
  return await (load?.(file.href) ?? import(file.href)) as Module;
}
