import type { NatsAuthority } from './nats-authority.ts';

interface NatsLayout {
  /** `host:port` on which the server listens for clients. */
  readonly listen: string;
  readonly jetstream: string;
  /** Folder in which the resolver keeps account JWTs. */
  readonly accounts: string;
  /** True: JetStream does not sync each message to the disk. */
  readonly volatile?: boolean | undefined;
  /** Path of another configuration file, relative to the folder of the server's configuration file. */
  readonly include?: string;
}

/** Returns the configuration of a NATS server in operator mode. */
export function natsConfiguration({ operatorJwt, systemAccount }: NatsAuthority, layout: NatsLayout): string {
  const { listen, jetstream, accounts, volatile, include } = layout;
  return `# Written at each start.
server_name: platform
listen: ${JSON.stringify(listen)}
jetstream {
  store_dir: ${JSON.stringify(jetstream)}
  # With "always", a message is on the disk before it is acknowledged (open-points 13.2).
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

/**
 * Returns the content of a file for `include`, with the account JWTs. The server copies these JWTs into the folder of
 * the resolver, but does not replace newer JWTs.
 */
export function natsPreload({ systemAccount, account }: NatsAuthority): string {
  const lines = [systemAccount, account].map(({ publicKey, jwt }) => `  ${publicKey}: ${jwt}\n`);
  return `resolver_preload {\n${lines.join('')}}\n`;
}
