import type { Reaper, State } from '@platform/backing';
import type { Environment, LauncherSettings } from '../settings.ts';
import type { Progress } from './progress.ts';

export interface PlatformOptions {
  readonly settings: LauncherSettings;
  readonly environment: Environment;
  readonly state: State;
  readonly reaper: Reaper;
  readonly progress: Progress;
  /** Aborts the start. */
  readonly signal: AbortSignal;
}
