/** A limit of a figure, in milliseconds: exact where it is proved whole, three times as long on a busy test machine. */
export function backWithin(milliseconds: number, share: number): number {
  return share === 1 ? milliseconds : 3 * milliseconds;
}
