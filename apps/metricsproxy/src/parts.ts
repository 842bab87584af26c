import type { Authority } from '@platform/leases';
import type { Outbound } from '@platform/outbound';
import type { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import type { IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import type { Guard, RpcClient } from '@platform/rpc';
import type { OpenService } from '@platform/service';
import type { Write } from '@platform/writes';
import type { SettleParts } from './backends/settle.ts';

/** The dependencies of the methods, created once in start.ts. */
export interface Parts extends SettleParts {
  readonly service: OpenService;
  readonly guard: Guard;
  /** Changes rows on behalf of a caller. */
  readonly write: Write<never>;
  readonly outbound: Outbound;
  /** Returns when no replica uses routes that earlier transactions removed (leases.md L4). */
  readonly told: Authority['told'];
  readonly identity: RpcClient<typeof IdentityServiceService>;
  readonly clusters: RpcClient<typeof ClusterOwnerServiceService>;
}
