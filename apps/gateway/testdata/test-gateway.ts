import { openApiText } from '@platform/openapi';
import { createRateLimiter, sourceAddressBy } from '@platform/rpc';
import { createReadiness, Secret, silentLogger } from '@platform/service';
import { type Deployment, readSurface, type Surface } from '@platform/surface';
import { type Limits, usualLimits } from '../src/limits/limits.ts';
import { ownPages } from '../src/pages.ts';
import { type ServedGateway, type ServeOptions, serveGateway } from '../src/serve-gateway.ts';
import { openUpstream } from '../src/upstream.ts';
import { readTestImage } from './test-image.ts';
import { startTestService, testCredential, type TestHandler } from './test-service.ts';

export const testSurface: Surface = readSurface(readTestImage());

export interface TestGatewayOptions {
  readonly handlers?: Readonly<Record<string, TestHandler>>;
  readonly deployment?: Partial<Deployment>;
  readonly limits?: Partial<Limits>;
  /** Instead of a running service: addresses to call. */
  readonly addresses?: readonly string[];
  readonly serve?: Partial<ServeOptions>;
}

export interface TestGateway extends AsyncDisposable {
  readonly gateway: ServedGateway;
  readonly baseUrl: string;
  /** Of the gRPC server behind it. */
  readonly serviceAddress: string;
}

/** A gateway in this process before a real gRPC server that serves the test API. A method without handler echoes. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  await using held = new AsyncDisposableStack();
  const addresses = options.addresses ?? [
    held.use(await startTestService(testSurface, options.handlers ?? {})).address,
  ];
  const readiness = createReadiness({});
  const upstream = held.use(
    openUpstream(
      new Map([
        ['test', addresses],
        ['orgs-teams', addresses],
        ['authz', addresses],
      ]),
      { serviceCredential: new Secret(testCredential) },
    ),
  );
  const gateway = held.use(
    await serveGateway({
      surface: testSurface,
      deployment: { type: 'SelfHostedProduction', runMode: 'test', billing: 'auto', ...options.deployment },
      upstream,
      pages: ownPages({ version: 'v1.2.3', readiness, document: openApiText(testSurface) }),
      limits: { ...usualLimits, ...options.limits },
      rateLimiter: createRateLimiter(undefined),
      sourceAddress: sourceAddressBy([]),
      baseUrl: undefined,
      version: 'v1.2.3',
      readiness,
      log: silentLogger,
      host: '127.0.0.1',
      port: 0,
      ...options.serve,
    }),
  );
  const running = held.move();
  return {
    gateway,
    baseUrl: gateway.baseUrl,
    serviceAddress: addresses[0]!,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}
