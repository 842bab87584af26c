/** Why an event of an agent is refused: the values of the label `reason` of `member_events_refused_total`. */
export const eventRefusals = {
  subject: 'The subject names no member.',
  rate: 'The organization or the member sends more events or bytes per second than its share.',
  kept: 'The quota of kept events of the organization or the member is full.',
  waiting: 'Too many bytes of the organization or the member wait to be read.',
  busy: 'Too many events, or bytes, of the organization wait to be stored.',
  store: 'The event could not be stored.',
} as const;

export type EventRefusal = keyof typeof eventRefusals;
