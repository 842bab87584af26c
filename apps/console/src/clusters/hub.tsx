export function Hub() {
  return null;
}
