export function Hubs() {
  return null;
}
