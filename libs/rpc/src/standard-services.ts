import type { Server } from '@grpc/grpc-js';
import { loadFileDescriptorSetFromBuffer } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import type { Surface } from '@platform/surface';
import { HealthImplementation } from 'grpc-health-check';

/** The standard health service (`grpc.health.v1`). */
export function addHealth(server: Server): HealthImplementation {
  const health = new HealthImplementation({ '': 'NOT_SERVING' });
  health.addToServer(server);
  return health;
}

/** Server reflection for the services of one app: what grpcurl and its like list and describe. */
export function addReflection(server: Server, surface: Surface, host: string): void {
  const services = [...new Set(surface.methods.filter((method) => method.host === host).map(({ service }) => service))];
  const definitions = loadFileDescriptorSetFromBuffer(Buffer.from(surface.image));
  new ReflectionService(definitions, { services }).addToServer(server);
}
