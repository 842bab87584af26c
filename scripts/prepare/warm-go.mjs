import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { root } from '../pinned-node.mjs';

const servers = ['github.com/nats-io/nats-server/v2', 'github.com/openfga/openfga/cmd/openfga'];

/**
 * Compiles the Go servers while packages are installed and code is generated, into Go's own cache. It stops with this
 * process, which loses only what is being compiled at that moment: libs/backing, which builds the servers, goes on from
 * there. Does nothing where servers are named or built, and says nothing where they cannot be compiled, for
 * libs/backing says it.
 */
export function warmGo() {
  if (process.env.PLATFORM_OPENFGA_URL || process.env.PLATFORM_OPENFGA_BINARY || built()) return;
  // The flags and variables of libs/backing/src/go-build.ts: Go finds again only what was compiled alike.
  const child = spawn('go', ['build', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', ...servers], {
    cwd: join(root, 'tools', 'backing'),
    env: { GOTOOLCHAIN: 'auto', ...process.env, GOFLAGS: '-mod=readonly', GOWORK: 'off', CGO_ENABLED: '0' },
    stdio: 'ignore',
    // A group of its own: compilers end with Go.
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

/** Whether a build is kept, of whatever version: libs/backing knows which one is needed. */
function built() {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'platform');
  return existsSync(cache) && readdirSync(cache).some((name) => name.startsWith('openfga-'));
}
