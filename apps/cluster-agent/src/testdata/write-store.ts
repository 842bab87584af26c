// Runs until the test kills this process. Each transaction reports a new object, and a change of the object `changed`.
// After the commit, the test receives the number of the new object.
import { openStore } from '../store/store.ts';

const [folder, mostBytes, first] = process.argv.slice(2) as [string, string, string];
const store = openStore(folder, 'platform.dev', Number(mostBytes));
const resource = { group: '', version: 'v1', name: 'nodes', kind: 'Node', scope: 'Cluster' } as const;
store.useLicence('1');
for (let number = Number(first); ; number += 1) {
  const content = () => ({ source: '/s', data: JSON.stringify({ number }) });
  const say = (uid: string) => store.say({ uid, resource, generation: number, content }, new Date());
  store.transact(() => ['changed', `object-${number}`].forEach(say));
  await new Promise((resolve) => process.send!(number, resolve));
}
