// Specs load this module into a program with `--import`. When the program exits, this module writes the names of the
// loaded packages to standard error.
import { registerHooks } from 'node:module';

const packages = new Set<string>();
registerHooks({
  load: (url, context, next) => {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
    if (name !== undefined) packages.add(name);
    return next(url, context);
  },
});
process.once('exit', () => process.stderr.write(`${JSON.stringify([...packages].sort())}\n`));
