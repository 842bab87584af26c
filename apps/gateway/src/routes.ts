import type { Replicas } from '@platform/rpc';
import { type Deployment, isRegistered, type Surface } from '@platform/surface';
import { compileEndpoint, type Endpoint } from './endpoint/endpoint.ts';
import { MessageDecoders } from './json/decode-message.ts';
import { MessageEncoders } from './json/encode-message.ts';
import type { Page } from './page.ts';
import { type RouteDeclaration, RouteTable } from './routing/route-table.ts';
import type { Upstream } from './upstream.ts';
import { readWireCodecs } from './wire-codec.ts';

/** What answers a route. */
export type Target =
  | { readonly kind: 'page'; readonly page: Page }
  | { readonly kind: 'endpoint'; readonly endpoint: Endpoint; readonly replicas: Replicas };

/**
 * The one table of all routes: every bound method, compiled, and the gateway's own pages. Throws for what it could not
 * serve.
 */
export function compileRoutes(
  surface: Surface,
  deployment: Deployment,
  upstream: Upstream,
  pages: readonly Page[],
): RouteTable<Target> {
  const codecs = {
    decoders: new MessageDecoders(),
    encoders: new MessageEncoders(),
    wire: readWireCodecs(surface.image),
  };
  const endpoints = surface.methods.flatMap((method): RouteDeclaration<Target>[] => {
    if (!method.http) return [];
    const registered = isRegistered(method.rest.gate, deployment);
    const endpoint = compileEndpoint(method, codecs);
    // Where it is not registered nobody calls it, and its service need not run.
    const replicas = registered ? upstream.replicasFor(method) : unreachable;
    const target: Target = { kind: 'endpoint', endpoint, replicas };
    return [{ verb: method.http.verb, template: method.http.template, registered, target }];
  });
  const own = pages.map((page): RouteDeclaration<Target> => {
    return { verb: 'GET', template: page.path, registered: true, target: { kind: 'page', page } };
  });
  return new RouteTable([...endpoints, ...own]);
}

const unreachable: Replicas = {
  call: () => Promise.reject(new Error('a route that is not registered was called')),
  probe: () => Promise.resolve([]),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};
