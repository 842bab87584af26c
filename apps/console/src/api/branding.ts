import { useQuery } from '@tanstack/react-query';
import { platform } from './client.ts';

/** Reads the name, the colour and the pictures of the deployment. */
export const useBranding = () => useQuery({
  queryKey: ['branding'], queryFn: () => platform.call('getBranding'), staleTime: 300_000, refetchInterval: false,
});

/** The name that is shown if the deployment has no name of its own. */
export const defaultName = 'Platform';

/**
 * Returns the picture if it is a data URI of an image, else undefined. The content policy blocks pictures of other
 * hosts.
 */
export function pictureOf(picture: string | undefined): string | undefined {
  return picture?.startsWith('data:image/') ? picture : undefined;
}

/** Name and logo of the deployment. The logo is undefined if there is none, or if {@link pictureOf} rejects it. */
export function useBrand(): { readonly name: string; readonly logo: string | undefined } {
  const { data } = useBranding();
  return { name: data?.appName || defaultName, logo: pictureOf(data?.logo) };
}
