import type { Deadline } from '@platform/service';
import { readDataUri, toDataUri } from './data-uri.ts';
import { type Images, rasterTypeOf, UnusablePicture } from './images.ts';
import { svgProblem } from './safe-svg.ts';

/** Maximum size of a logo or favicon in bytes, after its data URI or base64 text is decoded (open-points 1.9). */
const mostBytes = 512 * 1024;
/** Widths of the square favicons, in pixels (open-points 10). */
const faviconSizes = [16, 32, 180];

/** Data URIs of PNGs by size, such as `32x32`. */
export type Favicons = Readonly<Record<string, string>>;

/** Converts a logo from a request to a data URI with the type of its content. @throws as {@link Images} */
export async function readLogo(images: Images, text: string, deadline: Deadline): Promise<string> {
  const { mediaType, content } = readPicture(text);
  // Draw the logo once now, so that a broken or too large picture is refused here.
  await images.icons(content, [faviconSizes[0]!], deadline);
  return toDataUri(mediaType, content);
}

/** Draws the favicons from a picture in a request. @throws as {@link Images} */
export async function readFavicons(images: Images, text: string, deadline: Deadline): Promise<Favicons> {
  return drawFavicons(images, readPicture(text).content, deadline);
}

export async function drawFavicons(images: Images, content: Uint8Array, deadline: Deadline): Promise<Favicons> {
  const icons = await images.icons(content, faviconSizes, deadline);
  const uris = icons.map((icon) => toDataUri('image/png', icon));
  return Object.fromEntries(faviconSizes.map((size, index) => [`${size}x${size}`, uris[index]!]));
}

function readPicture(text: string): { mediaType: string; content: Buffer } {
  const content = readDataUri(text);
  if (content === undefined) throw new UnusablePicture('must be a data URI or base64, and must not be empty');
  if (content.length > mostBytes) throw new UnusablePicture(`must have at most ${mostBytes / 1024} KiB`);
  const rasterType = rasterTypeOf(content);
  if (rasterType === 'image/webp') throw new UnusablePicture('must be a PNG, JPEG, GIF or SVG');
  if (rasterType !== undefined) return { mediaType: rasterType, content };
  const problem = svgProblem(content);
  if (problem !== undefined) {
    throw new UnusablePicture(`must be a PNG, JPEG, GIF or safe SVG; an SVG ${problem}`);
  }
  return { mediaType: 'image/svg+xml', content };
}
