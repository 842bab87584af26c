import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Answer } from '@platform/http';

export interface PageSettings {
  /** Path of the platform below its host, without a slash at the end; empty at the root. */
  readonly basePath: string;
  /** Ids of the operations that this deployment does not have. The console hides the screens that need them. */
  readonly lacking: readonly string[];
  /** Whether the gateway serves the documentation at `/docs/`. */
  hasDocs(): Promise<boolean>;
}

const noncePlaceholder = /NONCE-OF-THE-ANSWER/g;

/**
 * Returns a function that answers a request with the page of the console (open-points 18.9). Each answer has a new
 * nonce for the styles of the page.
 * @param built the page as the build made it
 */
export function consolePage(
  built: string, { basePath, lacking, hasDocs }: PageSettings,
): (request: IncomingMessage) => Promise<Answer> {
  const settings = `<meta name="platform-base" content="${escaped(basePath)}">`
    + `<meta name="platform-lacking" content="${escaped(lacking.join(' '))}">`;
  const page = built
    .replaceAll(/(src|href)="\.\//g, (_, attribute: string) => `${attribute}="${escaped(basePath)}/`)
    .replace('</title>', `</title>${settings}`);
  const docs = `<meta name="platform-docs" content="${escaped(basePath)}/docs/">`;
  return async ({ headers: { cookie = '' } }) => {
    const linked = await hasDocs() ? docs : '';
    const nonce = randomBytes(18).toString('base64');
    return {
      status: 200,
      headers: [
        ['Content-Type', 'text/html; charset=utf-8'],
        ['Content-Security-Policy', policyWith(nonce)],
        ['Cross-Origin-Opener-Policy', 'same-origin'],
        ['Cache-Control', 'no-store'],
      ],
      // Tell the page whether the request has cookies. Without cookies, the page does not ask for the session, because
      // browsers would log the refusal as an error.
      body: page.replaceAll(noncePlaceholder, nonce)
        .replace('</title>', `</title><meta name="platform-cookies" content="${cookie === '' ? 'none' : 'some'}">${linked}`),
    };
  };
}

function policyWith(nonce: string): string {
  return [
    "default-src 'none'", "script-src 'self'", `style-src 'self' 'nonce-${nonce}'`, "img-src 'self' data:",
    "font-src 'self'", "connect-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
  ].join('; ');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character]!);
}
