import type { NatsAuthority } from './nats-authority.ts';

interface NatsLayout {
  /** `host:port` at which clients connect. */
  readonly listen: string;
  readonly jetstream: string;
  /** Folder in which the resolver keeps account JWTs. */
  readonly accounts: string;
  /** True: JetStream does not sync each message to the disk. */
  readonly volatile?: boolean | undefined;
  /** Name of a file in the same folder with further configuration. */
  readonly include?: string;
}

/** Returns the configuration of a NATS in operator mode. */
export function natsConfiguration({ operatorJwt, systemAccount }: NatsAuthority, layout: NatsLayout): string {
  const { listen, jetstream, accounts, volatile, include } = layout;
  return `# Written at each start.
server_name: platform
listen: ${JSON.stringify(listen)}
jetstream {
  store_dir: ${JSON.stringify(jetstream)}
  # A message is acknowledged once it is on the disk (open-points 13.2).
  ${volatile ? 'sync_interval: "2m"' : 'sync_interval: always'}
}
operator: ${operatorJwt}
system_account: ${systemAccount.publicKey}
# Full: account JWTs that are pushed to the running server are kept here, and survive a restart.
resolver {
  type: full
  dir: ${JSON.stringify(accounts)}
  allow_delete: true
  interval: "2m"
}
${include === undefined ? '' : `include ${include}\n`}`;
}

/** The configuration to include if the resolver does not get the accounts as files. The resolver keeps a newer JWT. */
export function natsPreload({ systemAccount, account }: NatsAuthority): string {
  const lines = [systemAccount, account].map(({ publicKey, jwt }) => `  ${publicKey}: ${jwt}\n`);
  return `resolver_preload {\n${lines.join('')}}\n`;
}
