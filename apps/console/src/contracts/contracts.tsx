export function Contracts() {
  return null;
}
export function SiteContracts() {
  return null;
}
