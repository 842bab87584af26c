/** Colours that can be told apart, after the one of the branding. */
const further = ['#0d9488', '#d97706', '#7c3aed', '#db2777', '#65a30d', '#0891b2', '#94a3b8'];
/** What stands in for a branding that could not be seen on paper. */
const substitute = '#334155';
const lightest = 0.75;

/** The colour of the branding, where it can be seen on white. @param color `#rrggbb` */
export function visible(color: string): string {
  const [red, green, blue] = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255) as
    [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > lightest ? substitute : color;
}

/** One colour for each series, the last ones alike when there are many. */
export function palette(primary: string): (place: number) => string {
  return (place) => (place === 0 ? primary : further[Math.min(place - 1, further.length - 1)]!);
}
