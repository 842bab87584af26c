/** Signs in at the provider of the lab as a browser does. @returns path and query of the callback */
export async function signInAtProvider(address: string, login: string, baseUrl: string): Promise<string> {
  const cookies = new Map<string, string>();
  let next = address;
  let chosen: string | undefined;
  for (let hops = 0; hops < 12; hops += 1) {
    if (next.startsWith(baseUrl)) return next.slice(baseUrl.length);
    const answer = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(chosen !== undefined && { method: 'POST', body: new URLSearchParams({ login: chosen }) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      cookies.set(name!, value!);
    }
    const location = answer.headers.get('location');
    // The page on which to choose a person; its form is posted to the same address.
    chosen = location === null ? login : undefined;
    if (location !== null) next = new URL(location, next).href;
    await answer.body?.cancel();
  }
  throw new Error(`the provider does not come back: ${next}`);
}
