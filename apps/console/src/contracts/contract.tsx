export function ContractScreen() {
  return null;
}
export function SiteContract() {
  return null;
}
