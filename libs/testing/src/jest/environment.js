import { TestEnvironment as NodeEnvironment } from 'jest-environment-node';

/**
 * Node's environment, which besides releases what a spec file acquired from the harness when its last test and hook are
 * done, and shows what the started services logged while a test failed.
 */
export default class HarnessEnvironment extends NodeEnvironment {
  async handleTestEvent(event) {
    const harness = this.global[Symbol.for('platform.testing.harness')];
    if (event.name === 'test_start') {
      harness?.markLogs();
    } else if (event.name === 'test_done' && event.test.errors.length > 0) {
      harness?.showLogs(event.test.name);
    } else if (event.name === 'hook_failure') {
      harness?.showLogs(event.hook.type);
    } else if (event.name === 'run_finish') {
      await harness?.release();
    }
  }
}
