import type { IncomingMessage } from 'node:http';
import type { Answer } from '@platform/http';
import type { Replicas } from '@platform/rpc';
import { type Deployment, isRegistered, type Surface } from '@platform/surface';
import { compileEndpoint, type Endpoint } from './endpoint/endpoint.ts';
import { MessageDecoders } from './json/decode-message.ts';
import { MessageEncoders } from './json/encode-message.ts';
import { type RouteDeclaration, RouteTable } from './routing/route-table.ts';
import type { Upstream } from './upstream.ts';
import { readWireCodecs } from './wire-codec.ts';

export type Target =
  | { readonly kind: 'local'; readonly local: LocalRoute }
  | { readonly kind: 'endpoint'; readonly endpoint: Endpoint; readonly replicas: Replicas };

/** The server's own routes, and the choice of the methods that the server serves. */
export interface OwnRoutes {
  readonly locals?: readonly LocalRoute[];
  /** Whether this server serves methods with this path template; default: all. */
  readonly serves?: (template: string) => boolean;
}

/** Compiles the route table. @throws Error for a method that cannot be served */
export function compileRoutes(
  surface: Surface, deployment: Deployment, upstream: Upstream, { locals = [], serves = () => true }: OwnRoutes = {},
): RouteTable<Target> {
  const wire = readWireCodecs(surface.registry);
  const codecs = { decoders: new MessageDecoders(), encoders: new MessageEncoders(), wire };
  const endpoints = surface.methods.flatMap((method): RouteDeclaration<Target>[] => {
    if (!method.http || !serves(method.http.template)) return [];
    const registered = isRegistered(method.rest.gate, deployment);
    const endpoint = compileEndpoint(method, surface, codecs);
    // An unregistered route is never called, so its service need not run.
    const replicas = registered ? upstream.replicasFor(method) : unreachable;
    const target: Target = { kind: 'endpoint', endpoint, replicas };
    return [{ verb: method.http.verb, template: method.http.template, registered, target }];
  });
  const own = locals.map((local): RouteDeclaration<Target> =>
    ({ verb: 'GET', template: local.path, registered: true, target: { kind: 'local', local } }));
  return new RouteTable([...endpoints, ...own]);
}

const refuse = (): never => {
  throw new Error('an unregistered route was called');
};
const unreachable: Replicas = {
  call: refuse, receive: refuse, send: refuse, probe: refuse, [Symbol.asyncDispose]: refuse,
};

/** A public route that the server answers itself, such as a health check or a page. */
export interface LocalRoute {
  readonly path: string;
  /** Whether the route has no rate limit. */
  readonly unlimited?: true;
  answer(request: IncomingMessage): Answer | Promise<Answer>;
}
