import { createLimiter, type Deadline, refuseOver } from '@platform/service';
import sharp, { type ResizeOptions } from 'sharp';

/** Raster formats of uploaded pictures, detected by content. */
type RasterType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

const signatures: readonly (readonly [RasterType, (start: string) => boolean])[] = [
  ['image/png', (start) => start.startsWith('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (start) => start.startsWith('\xff\xd8\xff')],
  ['image/gif', (start) => start.startsWith('GIF87a') || start.startsWith('GIF89a')],
  ['image/webp', (start) => start.startsWith('RIFF') && start.slice(8) === 'WEBP'],
];

/** Detects a PNG, JPEG, GIF or WebP by its first bytes. Returns undefined for other content. */
export function rasterTypeOf(content: Uint8Array): RasterType | undefined {
  const start = Buffer.from(content.subarray(0, 12)).toString('latin1');
  return signatures.find(([, begins]) => begins(start))?.[0];
}

/** Maximum size of a picture in a request, in pixels (open-points 1.9). */
const [mostWidth, mostHeight] = [4096, 3072];
/** Width and height of a stored avatar, in pixels. */
const side = 512;
/** Number of pictures that are decoded at a time: one, to bound the memory for decoded pictures. */
const decodedAtOnce = 1;
const mostWaiting = 8;
const mostSeconds = 5;

/** The content is not a picture, or is not accepted. The message is shown to users after the name of the field. */
export class UnusablePicture extends Error {
  override readonly name = 'UnusablePicture';
}

/**
 * Converts pictures, one after the other. The methods may throw UnusablePicture and DeadlineExceeded. They throw
 * Unavailable if too many calls of the same party wait.
 */
export interface Images {
  /**
   * Converts a PNG, JPEG, GIF or WebP to a PNG of 512 × 512 pixels. If the picture is not square, crops its longer
   * side. Detects the type by content. Uses the first frame of an animation.
   */
  avatar(content: Uint8Array, deadline: Deadline): Promise<Buffer>;
  /**
   * Converts a PNG, JPEG, GIF, WebP or SVG to square PNGs, one for each width in `sizes`. Each PNG shows the whole
   * picture. An SVG from a request must first pass the check of `svgProblem`.
   */
  icons(content: Uint8Array, sizes: readonly number[], deadline: Deadline): Promise<Buffer[]>;
  /**
   * Converts a PNG, JPEG, GIF, WebP or SVG to a PNG. Scales the whole picture to fit into `width` and `height`. For an
   * SVG, see `icons`.
   */
  within(content: Uint8Array, width: number, height: number, deadline: Deadline): Promise<Buffer>;
}

sharp.concurrency(1);
sharp.cache(false);
// Allow only these loaders. Otherwise, libvips would choose among all its loaders by the content of a file.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadNsgifBuffer', 'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadSvgBuffer',
  ],
});

const what = 'the conversion of pictures';

export function createImages(): Images {
  const { run: inTurn } = createLimiter(decodedAtOnce, what, mostWaiting);
  return {
    avatar: (content, deadline) => inTurn(deadline, async () => {
      if (rasterTypeOf(content) === undefined) throw new UnusablePicture('must be a PNG, JPEG, GIF or WebP');
      return readable(() => scaled(content, side, side, { fit: 'cover' }));
    }),
    icons: (content, sizes, deadline) => inTurn(deadline, () => readable(async () => {
      const icons: Buffer[] = [];
      for (const size of sizes) {
        refuseOver(deadline, what);
        icons.push(await scaled(content, size, size, { fit: 'contain', background: '#0000' }));
      }
      return icons;
    })),
    within: (content, width, height, deadline) => inTurn(deadline, () => readable(
      () => scaled(content, width, height, { fit: 'inside' }),
    )),
  };
}

/** Scales a picture as `options` say, and converts it to a PNG. Checks the number of pixels before decoding. */
async function scaled(
  content: Uint8Array, toWidth: number, toHeight: number, options: ResizeOptions,
): Promise<Buffer> {
  const open = (limitInputPixels: number | false) => sharp(content, {
    failOn: 'error', limitInputPixels, sequentialRead: true, pages: 1,
  }).timeout({ seconds: mostSeconds });
  const { width, height } = await open(false).metadata();
  if (width > mostWidth || height > mostHeight) {
    throw new UnusablePicture(`must have at most ${mostWidth} x ${mostHeight} pixels`);
  }
  return open(mostWidth * mostHeight)
    .autoOrient().resize(toWidth, toHeight, options).png({ compressionLevel: 9 }).toBuffer();
}

async function readable<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof UnusablePicture) throw cause;
    throw new UnusablePicture('cannot be read: it is damaged, too complex or not a picture', { cause });
  }
}
