import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiFailure } from '../api/failure';
import { FailureNotice } from './failure-notice';
import { Loading } from './loading';

interface Props<Data> {
  query: Pick<UseQueryResult<Data, unknown>, 'data' | 'error' | 'isPending' | 'refetch'>;
  children: (data: Data) => ReactNode;
}

/** What was asked for wrongly fails again. */
const mayPass = (error: unknown) =>
  !(error instanceof ApiFailure) || error.status === 0 || error.status === 429 || error.status >= 500;

/** Shows the data of a query, or that it loads, or why it failed. Data stays visible while it is read again. */
export function Loaded<Data>({ query, children }: Props<Data>) {
  const { data, error } = query;
  return (
    <>
      {error !== null && (
        <FailureNotice error={error} retry={mayPass(error) ? () => void query.refetch() : undefined} />
      )}
      {data !== undefined ? children(data) : query.isPending && <Loading />}
    </>
  );
}
