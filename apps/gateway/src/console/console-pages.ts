import { createRouter, page, pageRoute, type Router, skipWrites } from '@platform/http';
import { type Deployment, isMarketplace, isRegistered, listenerPrefix, type Surface } from '@platform/surface';
import { accepts, type ConsoleBuild, fileAnswer } from './console-files.ts';
import { consolePage, type PageSettings } from './console-page.ts';

/** Below these path prefixes, a path without a route gets a plain 404, never the page (open-points 18.9). */
const notOurs = [
  '/api/', '/auth/', '/metrics-proxy/', '/files/', '/links/', '/avatars/', '/livez/', '/readyz/', '/assets/',
];

/**
 * Serves the page of the console and its files (open-points 18.9). Answers paths without a route with the page, too:
 * - for every method below `/marketplace/`, unless the deployment is a marketplace
 * - for GET and HEAD elsewhere, if `Accept` names HTML
 */
export function consolePages(
  { page: built, files }: ConsoleBuild,
  { surface, deployment, ...settings }: { surface: Surface; deployment: Deployment } & Omit<PageSettings, 'lacking'>,
): Router {
  const lacking = surface.methods.filter(({ http, rest }) => http !== undefined && !isRegistered(rest.gate, deployment))
    .map(({ name }) => name[0]!.toLowerCase() + name.slice(1));
  const answer = consolePage(built, { ...settings, lacking });
  const console = page(({ request }) => answer(request), '/');
  const router = createRouter();
  pageRoute(router, '/').get(console);
  for (const file of files) pageRoute(router, `/${file.name}`).get(page(({ request }) => fileAnswer(file, request)));
  if (!isMarketplace(deployment)) router.use(listenerPrefix, console);
  return router.use(skipWrites, ({ path, headers }, _response, next) => {
    const isOurs = !notOurs.some((prefix) => `${path}/`.startsWith(prefix)) && accepts(headers.accept ?? '', 'text/html');
    next(isOurs ? undefined : 'router');
  }, console);
}
