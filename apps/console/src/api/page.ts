/** A value that the gateway wrote into the page. */
function told(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="platform-${name}"]`)?.content ?? '';
}

/** Path of the platform below its host, without a slash at the end; empty at the root. */
export const basePath = told('base');

/** Path of the platform's documentation; empty if this deployment serves no documentation. */
export const docs = told('docs');

const lacking = new Set(told('lacking').split(' '));

/** Whether this deployment has an operation. A screen without its operation is not offered. */
export function isDeployed(operation: string): boolean {
  return !lacking.has(operation);
}

/** Whether the request for the page had a cookie. Without a cookie, nobody is signed in. */
export const hasCookies = told('cookies') !== 'none';

/** The nonce for style elements that scripts add. The Content-Security-Policy of the page requires the nonce. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
