export function Outages() {
  return null;
}
