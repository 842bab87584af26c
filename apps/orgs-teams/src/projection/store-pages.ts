import type { Tuple } from '@platform/proto/authz/v1/decision';
import type { OutgoingContext } from '@platform/rpc';
import type { Engine } from './engine.ts';

/** Maximum number of tuples in one page of OpenFGA. */
const pageSize = 100;

/** Reads all tuples of the store, page by page. Tuples that are written during the reading may be missing. */
export async function* storePages(engine: Engine, call: OutgoingContext): AsyncGenerator<readonly Tuple[]> {
  let pageToken = '';
  do {
    const filters = [{ object: '', relation: '', user: '' }];
    const page = await engine.readTuples({ filters, pageToken, pageSize }, call);
    yield page.tuples;
    pageToken = page.pageToken;
  } while (pageToken !== '');
}

/** The tables whose sequences are checked. Tuples contain ids of all these tables except `access_token`. */
export type Sequence = 'account' | 'team' | 'role' | 'access_token';

const sequenceOfType: Readonly<Record<string, Sequence>> = {
  organization: 'account', user: 'account', team: 'team', role: 'role',
};

/** Larger ids in tuples are ignored. They could move a sequence close to 2^53, the limit of ids (open-points 1.7). */
const highestPossible = 2 ** 52;

/** Notes the ids in the object and the user of a tuple in `highest`, which has the highest id of each sequence. */
export function noteHighest(highest: Map<Sequence, number>, { object, user }: Tuple): void {
  for (const [, type = '', id = '0'] of `${object} ${user}`.matchAll(/\b([a-z]+):([1-9][0-9]{0,15})\b/g)) {
    const sequence = sequenceOfType[type];
    if (sequence === undefined || Number(id) > highestPossible) continue;
    highest.set(sequence, Math.max(highest.get(sequence) ?? 0, Number(id)));
  }
}
