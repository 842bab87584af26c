import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { root } from '../pinned-node.mjs';

const servers = ['github.com/nats-io/nats-server/v2', 'github.com/openfga/openfga/cmd/openfga'];

/**
 * Starts to compile OpenFGA and nats-server into Go's build cache, in the background. If libs/backing builds these
 * servers later, Go reuses the compiled packages. The compilation stops when this process exits. Does nothing if
 * `PLATFORM_OPENFGA_URL` or `PLATFORM_OPENFGA_BINARY` is set, or if libs/backing has already built OpenFGA. Ignores
 * errors: libs/backing reports errors when it builds the servers.
 */
export function warmGo() {
  if (process.env.PLATFORM_OPENFGA_URL || process.env.PLATFORM_OPENFGA_BINARY || built()) return;
  // Flags and variables that affect compiled packages must match libs/backing/src/go-build.ts. Otherwise Go cannot
  // reuse the packages.
  const child = spawn('go', ['build', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', ...servers], {
    cwd: join(root, 'tools', 'backing'),
    env: { GOTOOLCHAIN: 'auto', ...process.env, GOFLAGS: '-mod=readonly', GOWORK: 'off', CGO_ENABLED: '0' },
    stdio: 'ignore',
    // Create a process group, so that the signal below also ends the compilers that Go starts.
    detached: true,
  });
  child.on('error', () => undefined);
  child.unref();
  process.on('exit', () => {
    try {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    } catch {
      // The Go process has already ended.
    }
  });
}

/** Whether libs/backing has cached a build of OpenFGA. Any version counts: the needed version is unknown here. */
function built() {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'platform');
  return existsSync(cache) && readdirSync(cache).some((name) => name.startsWith('openfga-'));
}
