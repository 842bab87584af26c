export function Events() {
  return null;
}
