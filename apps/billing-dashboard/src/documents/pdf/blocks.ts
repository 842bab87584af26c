/** A part of a page. A page break never divides a block. */
export interface Block {
  readonly height: number;
  readonly startsPage?: boolean;
  /** Whether the block must be on the same page as the next block. */
  readonly keepsNext?: boolean;
  /** Drawn above the block when the block is the first on a page. */
  readonly head?: Block;
  draw(top: number): void;
}

/** Distributes blocks over pages. A block must fit on one page, together with its head. */
export function paginate(blocks: readonly Block[], pageHeight: number): Block[][] {
  const pages: Block[][] = [];
  let used = Infinity;
  blocks.forEach((block, place) => {
    let needed = block.height;
    for (let next = place; blocks[next]?.keepsNext === true; next += 1) needed += blocks[next + 1]?.height ?? 0;
    if (block.startsPage === true || used + needed > pageHeight) {
      pages.push([]);
      used = 0;
      if (block.head !== undefined) {
        pages.at(-1)!.push(block.head);
        used += block.head.height;
      }
    }
    pages.at(-1)!.push(block);
    used += block.height;
  });
  return pages;
}
