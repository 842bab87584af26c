/** HTTP requests to addresses that customers enter. Rules about addresses are checked for each new connection. */
export { type AddressRules } from './address-rules.ts';
export { AddressRefused, AnswerTooLarge, Unreachable } from './errors.ts';
export {
  createOutbound, type Outbound, type OutboundAnswer, type OutboundOptions, type OutboundRequest, type OutboundTls,
} from './outbound.ts';
export { readProxy } from './proxy.ts';
export { readBounded } from './read-bounded.ts';
