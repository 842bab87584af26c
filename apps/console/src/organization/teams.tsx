export function Teams() {
  return null;
}
