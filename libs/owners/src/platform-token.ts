/** Tokens of accounts that the platform makes are valid for ten years (open-points 3.4). */
const tenYears = 10 * 365 * 86_400;

/** How a token that the platform makes for a purpose is named, and how long it is valid (open-points 3.4). */
export function platformToken(purpose: string): { readonly name: string; readonly expiresInSeconds: number } {
  return { name: `${purpose} ${new Date().toISOString().slice(0, 19)}Z`, expiresInSeconds: tenYears };
}
