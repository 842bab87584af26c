import { TestEnvironment as NodeEnvironment } from 'jest-environment-node';

import { noteTime, timed, timeNow } from '../times.ts';
import { watchdog } from './watchdog.js';

const harnessKey = Symbol.for('platform.testing.harness');
const watching = watchdog();

/**
 * Node's environment with four additions: it releases the resources that a spec file acquired from the harness after
 * its last test and hook, shows the service logs of a failed test, records the time for loading and releasing, and ends
 * a file that hangs.
 */
export default class HarnessEnvironment extends NodeEnvironment {
  #file;
  #begun = timeNow();

  constructor(config, context) {
    super(config, context);
    this.#file = context.testPath;
    watching.begins(this.#file);
    delete globalThis[harnessKey];
    // Specs run outside the context of this environment (runtime.js), but `expect` runs inside. So that
    // `expect.any(String)` means the String of the specs, give this context the classes of the specs.
    for (const name of Object.getOwnPropertyNames(this.global)) {
      if (/^[A-Z]/.test(name) && typeof globalThis[name] === 'function') this.global[name] = globalThis[name];
    }
  }

  async teardown() {
    watching.ends();
    await super.teardown();
  }

  async handleTestEvent(event) {
    const harness = globalThis[harnessKey];
    if (event.name === 'run_start') {
      noteTime('loading', this.#file, this.#begun);
    } else if (event.name === 'test_start') {
      watching.does(event.test.name);
      harness?.markLogs();
    } else if (event.name === 'test_done' && event.test.errors.length > 0) {
      event.test.errors.flat().forEach(usePaths);
      harness?.showLogs(event.test.name);
    } else if (event.name === 'hook_failure') {
      harness?.showLogs(event.hook.type);
    } else if (event.name === 'run_finish' && harness !== undefined) {
      watching.does('release what it held');
      await timed('stopping', this.#file, () => harness.release());
    }
  }
}

/** Stack traces of Node contain URLs of modules, but jest recognizes only paths. */
function usePaths(error) {
  if (typeof error?.stack === 'string') error.stack = error.stack.replaceAll('file://', '');
}
