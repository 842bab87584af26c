import { createRouter, limitAddresses, type Limits, page, pageRoute, type Router, usualLimits } from '@platform/http';
import { createRateLimiter, type RateLimiter, sourceAddressBy } from '@platform/limits';
import { createReadiness, grpcServices, Secret, silentLogger } from '@platform/service';
import { type Deployment, readSurface, type Surface } from '@platform/surface';
import { type RestServer, type RestOptions, serveRest } from '../src/serve-rest.ts';
import { openUpstream } from '../src/upstream.ts';
import { readTestImage } from './test-image.ts';
import {
  startTestService, type StreamHandlers, testCredential, type TestHandler, type TestServiceOptions,
} from './test-service.ts';

export const testSurface: Surface = readSurface(readTestImage());

export interface TestRestOptions {
  readonly handlers?: Readonly<Record<string, TestHandler>>;
  readonly streams?: StreamHandlers;
  readonly counted?: NonNullable<TestServiceOptions['counted']>;
  readonly deployment?: Partial<Deployment>;
  readonly limits?: Partial<Limits>;
  /** Addresses of the gRPC service. If unset, a test service is started. */
  readonly addresses?: readonly string[];
  readonly serve?: Partial<RestOptions>;
}

export interface TestRest extends AsyncDisposable {
  readonly server: RestServer;
  readonly baseUrl: string;
  /** Address of the gRPC server behind the REST server. */
  readonly serviceAddress: string;
}

/** A health check without a rate limit, and a page with a rate limit. */
function testPages(rateLimiter: RateLimiter): Router {
  const router = createRouter();
  pageRoute(router, '/livez').get(page(() => ({ status: 200, headers: [], body: 'live' })));
  pageRoute(router, '/page').get(limitAddresses(rateLimiter), page(() =>
    ({ status: 200, headers: [['Content-Type', 'text/html; charset=utf-8']], body: '<!doctype html>' })));
  return router;
}

/**
 * Starts a REST server for the test API in this process. Unless `options.addresses` is set, also starts the gRPC server
 * that the REST server calls. Unary methods without a handler return their request.
 */
export async function startTestRest(options: TestRestOptions = {}): Promise<TestRest> {
  await using held = new AsyncDisposableStack();
  const addresses = options.addresses ?? [
    held.use(await startTestService(testSurface, options.handlers ?? {}, options)).address,
  ];
  const readiness = createReadiness({});
  const rateLimiter = options.serve?.rateLimiter ?? createRateLimiter(undefined);
  const upstream = held.use(
    openUpstream(
      new Map(['test', ...grpcServices.map(({ name }) => name)].map((name) => [name, addresses])),
      { serviceCredential: new Secret(testCredential) },
    ),
  );
  const server = held.use(
    await serveRest({
      surface: testSurface,
      deployment: { type: 'SelfHostedProduction', runMode: 'test', billing: 'auto', ...options.deployment },
      upstream,
      pages: testPages(rateLimiter),
      limits: { ...usualLimits, ...options.limits },
      rateLimiter,
      sourceAddress: sourceAddressBy([]),
      baseUrl: undefined,
      readiness,
      log: silentLogger,
      host: '127.0.0.1',
      port: 0,
      ...options.serve,
    }),
  );
  const running = held.move();
  return {
    server,
    baseUrl: server.baseUrl,
    serviceAddress: addresses[0]!,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}
