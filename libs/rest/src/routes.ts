import type { Replicas } from '@platform/rpc';
import { type Deployment, isRegistered, type Surface } from '@platform/surface';
import { compileEndpoint, type Endpoint } from './endpoint/endpoint.ts';
import { MessageDecoders } from './json/decode-message.ts';
import { MessageEncoders } from './json/encode-message.ts';
import { type RouteDeclaration, RouteTable } from './routing/route-table.ts';
import type { Upstream } from './upstream.ts';
import { readWireCodecs } from './wire-codec.ts';

export interface Target {
  readonly endpoint: Endpoint;
  readonly replicas: Replicas;
}

/**
 * Compiles the route table.
 * @param serves whether this server serves methods with this path template
 * @throws Error for a method that cannot be served
 */
export function compileRoutes(
  surface: Surface, deployment: Deployment, upstream: Upstream, serves: (template: string) => boolean = () => true,
): RouteTable<Target> {
  const wire = readWireCodecs(surface.registry);
  const codecs = { decoders: new MessageDecoders(), encoders: new MessageEncoders(), wire };
  return new RouteTable(surface.methods.flatMap((method): RouteDeclaration<Target>[] => {
    if (!method.http || !serves(method.http.template)) return [];
    const registered = isRegistered(method.rest.gate, deployment);
    const endpoint = compileEndpoint(method, surface, codecs);
    // An unregistered route is never called, so its service need not run.
    const replicas = registered ? upstream.replicasFor(method) : unreachable;
    return [{ verb: method.http.verb, template: method.http.template, registered, target: { endpoint, replicas } }];
  }));
}

const refuse = (): never => {
  throw new Error('an unregistered route was called');
};
const unreachable: Replicas = {
  call: refuse, receive: refuse, send: refuse, probe: refuse, [Symbol.asyncDispose]: refuse,
};
