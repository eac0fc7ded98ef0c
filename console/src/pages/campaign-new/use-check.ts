import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { checkFile } from './send-campaign';

/** A file, and which of those that were chosen it is: another one may have the same name. */
export interface ChosenFile {
  file: File;
  number: number;
}

/** Checks the file for the agent as soon as both are chosen. The check of a file that is no longer chosen ends. */
export function useCheck(agentId: string | undefined, chosen: ChosenFile | undefined) {
  const [share, setShare] = useState(0);
  const check = useQuery({
    queryKey: ['check of recipients', agentId, chosen?.number],
    queryFn: ({ signal }) => {
      if (agentId === undefined || chosen === undefined) throw new Error('Nothing is chosen.');
      setShare(0);
      return checkFile(agentId, chosen.file, { signal, onProgress: setShare });
    },
    enabled: agentId !== undefined && chosen !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return { check, share };
}
