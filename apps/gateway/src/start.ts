import { createPassOn, createRouter, listenerErrors, usualLimits } from '@platform/http';
import { createRateLimiter, rateLimitsOf, sourceAddressBy } from '@platform/limits';
import { openApiText } from '@platform/openapi';
import { readExamples } from '@platform/proto/examples';
import { readImage } from '@platform/proto/image';
import { openUpstream, serveRest } from '@platform/rest';
import { deploymentOf } from '@platform/rpc';
import { addressesOf, mostFileHandles, passedPathsOf, type Start } from '@platform/service';
import { hasListener, isMarketplace, isRegistered, listenerPrefix, readSurface } from '@platform/surface';
import { openGrpcTls, openHttpTls } from '@platform/tls';
import type { GatewayConfig } from './config.ts';
import { readConsole } from './console/console-files.ts';
import { consolePages } from './console/console-pages.ts';
import { watchDocs } from './docs/docs-files.ts';
import { docsPages } from './docs/docs-pages.ts';
import { ownPages } from './pages.ts';

/** Time limit of a request that the gateway passes on, in milliseconds. A metrics query may take 60 s. */
const passedMs = 65_000;

export { picks } from './config.ts';

/**
 * Starts the gateway, even if the services behind it are unavailable. Requests to an unavailable service fail until the
 * service is back.
 */
export const start: Start<GatewayConfig> = async (service, config) => {
  const { log, metrics, readiness, stack } = service;
  const surface = readSurface(await readImage());
  const { serviceCredential, baseUrl, host, port, stopDelay, stopSilence } = config;
  const deployment = deploymentOf(config);
  const tls = await openGrpcTls(service, config);
  const upstream = stack.use(openUpstream(addressesOf(config), { serviceCredential, tls }));
  const serves = (template: string) => !template.startsWith(listenerPrefix);
  const methods = surface.methods.filter(({ http, rest }) => http !== undefined && isRegistered(rest.gate, deployment));
  const passed = passedPathsOf(config).filter(({ prefix }) => serves(prefix) || hasListener(deployment));
  // A marketplace deployment passes every path under the prefix on to the listener.
  const listens = methods.filter(({ http }) => !serves(http!.template)).map(({ http }) => pathsOf(http!.template));
  const takes = (path: string) => isMarketplace(deployment) || listens.some((pattern) => pattern.test(path));
  const basePath = new URL(baseUrl ?? 'http://localhost').pathname.replace(/\/+$/, '');
  const rateLimiter = createRateLimiter(rateLimitsOf(config), metrics);
  const document = openApiText({ ...surface, methods }, await readExamples(), basePath);
  const pages = createRouter().use(
    ownPages({ readiness, rateLimiter, document, basePath }),
    docsPages(basePath),
    consolePages(await readConsole(), { surface, deployment, basePath, hasDocs: watchDocs() }),
  );
  const gateway = stack.use(
    await serveRest({
      surface,
      deployment,
      serves,
      passes: new Map(passed.map(({ name, prefix, at: addresses }) => {
        const passOn = createPassOn({ name, addresses, tls, withinMs: passedMs, credential: serviceCredential });
        const isListener = prefix === listenerPrefix;
        return [prefix, isListener ? { passOn, takes, errors: listenerErrors } : { passOn, takesSession: true }];
      })),
      pages,
      upstream,
      limits: { ...usualLimits, requestMs: config.requestTimeout },
      rateLimiter,
      sourceAddress: sourceAddressBy(config.trustedProxies),
      tls: await openHttpTls(service, config),
      readiness, log, metrics, baseUrl, host, port, stopDelay, stopSilence,
      fileHandles: await mostFileHandles(),
    }),
  );
  return { http: gateway.address };
};

/** A pattern for the paths of a template, with or without a slash at the end. */
function pathsOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}/?$`);
}
