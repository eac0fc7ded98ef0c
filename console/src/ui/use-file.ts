import { useQuery } from '@tanstack/react-query';

/** A part of a page in a file of its own, which is loaded when the part is first shown. */
export const useFile = <Module>(name: string, load: () => Promise<Module>) =>
  useQuery({
    queryKey: ['file', name],
    queryFn: load,
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
    structuralSharing: false,
  });
