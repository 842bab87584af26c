import type { IncomingMessage } from 'node:http';
import type { LocalRoute } from '@platform/rest';
import { type Deployment, isMarketplace, isRegistered, listenerPrefix, type Surface } from '@platform/surface';
import { accepts, type ConsoleBuild, fileAnswer } from './console-files.ts';
import { consolePage, type PageSettings } from './console-page.ts';

interface ConsoleRoutes {
  /** The routes of the page at `/` and of the console's files. */
  readonly locals: readonly LocalRoute[];
  /**
   * Returns the page for a path below `/marketplace/`, for every HTTP method. Returns undefined for any other path, for
   * a path that the deployment serves, and always if the deployment is a marketplace.
   */
  ahead(path: string): LocalRoute | undefined;
  /** The page for GET and HEAD of a path without a route, if `Accept` names HTML and no prefix in `notOurs` matches. */
  fallback(received: { readonly path: string; readonly request: IncomingMessage }): LocalRoute | undefined;
}

/** Below these path prefixes, a path without a route gets a plain 404, never the page (open-points 18.9). */
const notOurs = [
  '/api/', '/auth/', '/metrics-proxy/', '/files/', '/links/', '/avatars/', '/livez/', '/readyz/', '/assets/',
];

export function consoleRoutes(
  { page: built, files }: ConsoleBuild,
  { surface, deployment, ...page }: { surface: Surface; deployment: Deployment } & Omit<PageSettings, 'lacking'>,
): ConsoleRoutes {
  const bound = surface.methods.filter(({ http }) => http !== undefined);
  const has = ({ rest }: Surface['methods'][number]) => isRegistered(rest.gate, deployment);
  const lacking = bound.filter((method) => !has(method)).map(({ name }) => name[0]!.toLowerCase() + name.slice(1));
  const route: LocalRoute = { path: '/', unlimited: true, answer: consolePage(built, { ...page, lacking }) };
  const listens = bound.filter(has).map(({ http }) => http!.template).filter((path) => path.startsWith(listenerPrefix))
    .map((template) => new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}/?$`));
  const isBelow = (path: string, prefix: string) => `${path}/`.startsWith(prefix);
  return {
    locals: [
      route,
      ...files.map((file): LocalRoute => (
        { path: `/${file.name}`, unlimited: true, answer: (request) => fileAnswer(file, request) })),
    ],
    ahead: (path) => {
      // A marketplace deployment passes every path below the prefix on to the listener.
      if (isMarketplace(deployment) || !isBelow(path, listenerPrefix)) return undefined;
      return listens.some((pattern) => pattern.test(path)) ? undefined : route;
    },
    fallback: ({ path, request }) => {
      if (notOurs.some((prefix) => isBelow(path, prefix))) return undefined;
      const reads = request.method === 'GET' || request.method === 'HEAD';
      return reads && accepts(request.headers.accept ?? '', 'text/html') ? route : undefined;
    },
  };
}
