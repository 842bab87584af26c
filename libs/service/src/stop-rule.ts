import type { SettingsRule } from './config.ts';
import { environmentName } from './settings.ts';

/** What goes on for a while before it stops must have time left to: `stop.delay` is a part of `stop.timeout`. */
export const stopRule: SettingsRule = (given, valueOf) => {
  const [delay, timeout] = [valueOf('stop.delay') ?? 0, valueOf('stop.timeout') ?? Infinity];
  if (delay === 0 || delay < timeout) return [];
  const where = given('stop.delay') ?? environmentName('stop.delay');
  return [{ key: 'stop.delay', where, found: `is ${delay} ms`, accepts: `less than stop.timeout, which is ${timeout} ms` }];
};
