/** Stops the servers that specs have requested. */
export default async function stopServers() {
  await globalThis[Symbol.for('platform.testing.keeper')]?.[Symbol.asyncDispose]();
}
