import { defineService } from '@platform/service';
import { readConfig } from './config.ts';
import { start } from './start.ts';

export const service = defineService('gateway', readConfig, start);
