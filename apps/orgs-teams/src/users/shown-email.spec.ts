import { describe, expect, it } from '@jest/globals';
import { shownEmail } from './shown-email.ts';

const open = { id: 4, name: 'Jo', email: 'jo@example.org', keepEmailPrivate: false };
const secretive = { ...open, keepEmailPrivate: true };
const nobody = undefined;
const themselves = { id: 4, isAdmin: false };
const somebody = { id: 5, isAdmin: false };
const siteAdmin = { id: 5, isAdmin: true };

describe('the address others see (open-points 1.10)', () => {
  it.each([
    ['nobody', open, nobody, 'Jo@noreply.platform.example'],
    ['somebody', open, somebody, 'jo@example.org'],
    ['nobody', secretive, nobody, 'Jo@noreply.platform.example'],
    ['somebody', secretive, somebody, 'Jo@noreply.platform.example'],
    ['the person', secretive, themselves, 'jo@example.org'],
    ['a site admin', secretive, siteAdmin, 'jo@example.org'],
  ])('%s sees of %j', (_who, person, viewer, shown) => {
    expect(shownEmail(person, viewer, 'platform.example')).toBe(shown);
  });
});
