export function Subscriptions() {
  return null;
}
export function SubscriptionScreen() {
  return null;
}
