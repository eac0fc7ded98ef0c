import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiFailure } from '../api/failure';
import { Current } from './current';
import { FailureNotice } from './failure-notice';
import { Loading } from './loading';

interface Props<Data> {
  query: Pick<UseQueryResult<Data, unknown>, 'data' | 'dataUpdatedAt' | 'error' | 'isPending' | 'refetch'>;
  /** Whether the data is live, and is marked as old while the connection is lost. */
  isCurrent?: boolean;
  children: (data: Data) => ReactNode;
}

/** Whether a retry can help: an error of the client fails again. */
const mayPass = (error: unknown) =>
  !(error instanceof ApiFailure) || error.isSilent || error.status === 429 || error.status >= 500;

/** Shows the data of a query, its progress or its failure. Data stays visible while it is read again. */
export function Loaded<Data>({ query, isCurrent = false, children }: Props<Data>) {
  const { data, dataUpdatedAt, error } = query;
  return (
    <>
      {error !== null && (
        <FailureNotice error={error} retry={mayPass(error) ? () => void query.refetch() : undefined} />
      )}
      {data === undefined ? (
        query.isPending && <Loading />
      ) : isCurrent ? (
        <Current at={dataUpdatedAt}>{children(data)}</Current>
      ) : (
        children(data)
      )}
    </>
  );
}
