import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FailureNotice } from './failure-notice';
import { Loading } from './loading';

interface Props<Data> {
  query: Pick<UseQueryResult<Data, unknown>, 'data' | 'error' | 'isPending' | 'refetch'>;
  children: (data: Data) => ReactNode;
}

/** Shows the data of a query, or that it loads, or why it failed. Data stays visible while it is read again. */
export function Loaded<Data>({ query, children }: Props<Data>) {
  const { data, error } = query;
  return (
    <>
      {error !== null && <FailureNotice error={error} retry={() => void query.refetch()} />}
      {data !== undefined ? children(data) : query.isPending && <Loading />}
    </>
  );
}
