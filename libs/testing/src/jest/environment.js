import { TestEnvironment as NodeEnvironment } from 'jest-environment-node';

import { loaderKey } from '../api.ts';
import { noteTime, timed, timeNow } from '../times.ts';

/**
 * Node's environment with four additions: it releases the resources that a spec file acquired from the harness after
 * its last test and hook, shows the service logs of a failed test, records the time for loading and releasing, and
 * loads what all files share (api.ts).
 */
export default class HarnessEnvironment extends NodeEnvironment {
  #file;
  #begun = timeNow();

  constructor(config, context) {
    super(config, context);
    this.#file = context.testPath;
    this.global[loaderKey] = (url) => import(url);
  }

  async handleTestEvent(event) {
    const harness = this.global[Symbol.for('platform.testing.harness')];
    if (event.name === 'run_start') {
      noteTime('loading', this.#file, this.#begun);
    } else if (event.name === 'test_start') {
      harness?.markLogs();
    } else if (event.name === 'test_done' && event.test.errors.length > 0) {
      harness?.showLogs(event.test.name);
    } else if (event.name === 'hook_failure') {
      harness?.showLogs(event.hook.type);
    } else if (event.name === 'run_finish' && harness !== undefined) {
      await timed('stopping', this.#file, () => harness.release());
    }
  }
}
