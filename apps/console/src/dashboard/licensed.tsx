export function Licensed() {
  return null;
}
export function LicensedUserScreen() {
  return null;
}
export function LicensedCluster() {
  return null;
}
export function LicensedLicence() {
  return null;
}
