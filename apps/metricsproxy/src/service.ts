import { defineService } from '@platform/service';
import { picks, start } from './start.ts';

export const service = defineService('metricsproxy', picks, start);
