import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from '@jest/globals';
import { metricsPage } from './metrics-page.ts';
import { referencePages } from './reference-pages.ts';

const pages = await referencePages();

it.each(pages.map(({ file, text }) => [basename(file), file, text]))(
  '%s is what the tables yield (npm run generate -- --golden renews it)', (_name, file, text) => {
    expect(readFileSync(file, 'utf8')).toBe(text);
  },
);

it('a metric of a library whose processes are not named stops everything', () => {
  const metric = { name: 'x_total', type: 'counter', labels: [], help: 'X.', project: 'libs/unknown' } as const;
  expect(() => metricsPage([metric])).toThrow('libs/unknown has metrics');
});
