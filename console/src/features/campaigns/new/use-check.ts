import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { checkFile } from './send-campaign';

/** A file with its number, because another file may have the same name. */
export interface ChosenFile {
  file: File;
  number: number;
}

/** Checks the file for the agent as soon as both are chosen. Another choice of these or of the country aborts the check. */
export function useCheck(agentId: string | undefined, chosen: ChosenFile | undefined, country: string) {
  const [share, setShare] = useState(0);
  const check = useQuery({
    queryKey: ['check of recipients', agentId, chosen?.number, country],
    queryFn: ({ signal }) => {
      if (agentId === undefined || chosen === undefined) throw new Error('Nothing is chosen.');
      setShare(0);
      return checkFile({ agentId, country, file: chosen.file }, { signal, onProgress: setShare });
    },
    enabled: agentId !== undefined && chosen !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return { check, share };
}
