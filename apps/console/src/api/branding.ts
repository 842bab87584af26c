import { useQuery } from '@tanstack/react-query';
import { platform } from './client.ts';

/** Name, colours and pictures of the deployment. */
export const useBranding = () =>
  useQuery({
    queryKey: ['branding'],
    queryFn: () => platform.call('getBranding'),
    staleTime: 300_000,
    refetchInterval: false,
  });
