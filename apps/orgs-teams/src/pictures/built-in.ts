import { deadlineIn } from '@platform/service';
import { drawFavicons, type Favicons } from './branding-picture.ts';
import { toDataUri } from './data-uri.ts';
import type { Images } from './images.ts';

/** The logo and the favicons that the platform shows if none are uploaded (open-points 10). */
export interface BuiltInPictures {
  /** Data URI. */
  readonly logo: string;
  readonly favicons: Favicons;
}

/** An icon of three stacked layers. */
const mark = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
<rect width="64" height="64" rx="14" fill="#2563eb"/>
<path d="M32 35 11 46l21 11 21-11z" fill="#93c5fd"/>
<path d="M32 22 11 33l21 11 21-11z" fill="#dbeafe"/>
<path d="M32 8 11 19l21 11 21-11z" fill="#fff"/>
</svg>
`);

/** Returns a function that draws the pictures at its first call and keeps them. */
export function builtInPictures(images: Images): () => Promise<BuiltInPictures> {
  let drawn: Promise<BuiltInPictures> | undefined;
  return () => {
    drawn ??= draw(images).catch((error: unknown) => {
      drawn = undefined;
      throw error;
    });
    return drawn;
  };
}

/** Draws the pictures. Has a deadline of its own, because all callers share the result. */
async function draw(images: Images): Promise<BuiltInPictures> {
  return { logo: toDataUri('image/svg+xml', mark), favicons: await drawFavicons(images, mark, deadlineIn(20_000)) };
}
