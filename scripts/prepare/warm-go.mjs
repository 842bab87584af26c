import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { root } from '../pinned-node.mjs';

const servers = ['github.com/nats-io/nats-server/v2', 'github.com/openfga/openfga/cmd/openfga'];

/**
 * Compiles the Go servers into Go's own cache while packages are installed and code is generated. It stops with this
 * process, and then loses only what is being compiled at that moment; libs/backing, which builds the servers, continues
 * from the cache. Does nothing if the servers are configured or already built, and is silent if they cannot be
 * compiled, because libs/backing reports that.
 */
export function warmGo() {
  if (process.env.PLATFORM_OPENFGA_URL || process.env.PLATFORM_OPENFGA_BINARY || built()) return;
  // The flags and variables of libs/backing/src/go-build.ts: Go reuses only what was compiled in the same way.
  const child = spawn('go', ['build', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', ...servers], {
    cwd: join(root, 'tools', 'backing'),
    env: { GOTOOLCHAIN: 'auto', ...process.env, GOFLAGS: '-mod=readonly', GOWORK: 'off', CGO_ENABLED: '0' },
    stdio: 'ignore',
    // A separate process group, so that the compilers end with Go.
    detached: true,
  });
  child.on('error', () => undefined);
  child.unref();
  process.on('exit', () => {
    try {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    } catch {
      // It has ended meanwhile.
    }
  });
}

/** Whether a build of any version exists: libs/backing knows which version is needed. */
function built() {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'platform');
  return existsSync(cache) && readdirSync(cache).some((name) => name.startsWith('openfga-'));
}
