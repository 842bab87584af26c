/** HTTP client that is safe for addresses that customers enter: it checks each new connection against address rules. */
export { type AddressRules } from './address-rules.ts';
export { AddressRefused, AnswerTooLarge, Unreachable } from './errors.ts';
export {
  createOutbound, type Outbound, type OutboundAnswer, type OutboundOptions, type OutboundRequest, type OutboundTls,
} from './outbound.ts';
export { readProxy } from './proxy.ts';
export { readBounded } from './read-bounded.ts';
