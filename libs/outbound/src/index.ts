/** Outbound HTTP to addresses that people name: which may be connected to, checked at every connection. */
export { type AddressRules } from './address-rules.ts';
export { AddressRefused, AnswerTooLarge, Unreachable } from './errors.ts';
export {
  createOutbound, type Outbound, type OutboundAnswer, type OutboundOptions, type OutboundRequest, type OutboundTls,
  readBounded,
} from './outbound.ts';
