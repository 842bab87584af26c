#!/usr/bin/env node
import { join } from 'node:path';
import { root, runOnPinnedNode } from '../../../scripts/pinned-node.mjs';

runOnPinnedNode(join(root, 'apps', 'platform', 'src', 'main.ts'), process.argv.slice(2));
