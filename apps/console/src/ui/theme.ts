import { Badge, Combobox, createTheme, type MantineColorsTuple } from '@mantine/core';

type Channels = readonly [red: number, green: number, blue: number];

/** The share of white (above 0) or black (below 0) in each of the ten shades. */
const shades: readonly number[] = [0.92, 0.82, 0.66, 0.5, 0.34, 0.18, 0.06, -0.08, -0.2, -0.34];

/** Returns ten shades of a colour (`#rrggbb`), from light to dark. The seventh is close to the colour itself. */
export function shadesOf(color: string): MantineColorsTuple {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Channels;
  const mixed = (share: number) =>
    channels.map((channel) => Math.round(channel + ((share > 0 ? 255 : 0) - channel) * Math.abs(share)))
      .map((channel) => channel.toString(16).padStart(2, '0')).join('');
  return shades.map((share) => `#${mixed(share)}`) as unknown as MantineColorsTuple;
}

/** @param brand colour of the branding. If it is absent or not `#rrggbb`, the default colour is used. */
export function themeOf(brand: string | undefined) {
  const color = brand !== undefined && /^#[0-9a-f]{6}$/i.test(brand) ? brand : '#1864ab';
  return createTheme({
    primaryColor: 'brand',
    // In dark mode, a lighter shade than Mantine's default keeps text readable.
    primaryShade: { light: 7, dark: 7 },
    colors: { brand: shadesOf(color) },
    autoContrast: true,
    defaultRadius: 'md',
    fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
    headings: { fontWeight: '650' },
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      // Create the options of a field only when it is opened: hidden options slow down each screen.
      Combobox: Combobox.extend({ defaultProps: { keepMounted: false } }),
      // Do not cut off the text of a badge.
      Badge: Badge.extend({ styles: { root: { minWidth: 'max-content' }, label: { overflow: 'visible' } } }),
    },
  });
}
