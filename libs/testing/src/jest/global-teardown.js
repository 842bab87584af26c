/** Stops the servers that specs asked for. */
export default async function stopServers() {
  await globalThis[Symbol.for('platform.testing.keeper')]?.[Symbol.asyncDispose]();
}
