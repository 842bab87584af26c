// `node scripts/with-node.mjs FILE [ARGUMENTS…]`: runs FILE on the pinned Node.
import { runOnPinnedNode } from './pinned-node.mjs';

const [file, ...programArguments] = process.argv.slice(2);
if (file === undefined) {
  console.error('Usage: node scripts/with-node.mjs FILE [ARGUMENTS…]');
  process.exit(2);
}
runOnPinnedNode(file, programArguments);
