import { type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { AuthenticatedRequest } from './access';

/**
 * The details of a change: names of fields, ids, counts and closed words. They contain no secrets, no texts of
 * users and no data of called persons.
 */
export type ChangeDetails = Record<string, ChangeDetail | readonly string[] | Record<string, ChangeDetail>>;

type ChangeDetail = string | number | boolean | null;

/** A change of one thing by a request that changes several. */
export interface ChangedPart {
  /** As in the record of a request that changes only this. */
  action: string;
  id: string;
  name: string;
  details: ChangeDetails;
}

/** The change of a transaction. */
export interface Change {
  /** The value that the work of the transaction returned. */
  result: unknown;
  /** The name of the target, if the result does not have it. */
  targetName?: string;
  /** The details that are added to those that the request or command declares. */
  details: ChangeDetails;
  /** The changes that get records of their own, too. */
  parts: readonly ChangedPart[];
}

/** A statement with its values, as the driver takes it. */
export interface Query {
  name: string | undefined;
  text: string;
  values: unknown[];
}

/** The record of a change, which its first transaction writes before it commits. */
export interface ChangeRecord {
  createQuery(change: Change): Query;
  /** Whether a transaction with the record was committed, or has changed nothing. */
  isSettled: boolean;
}

/** Makes the record of each request of a route. */
export type RecordMaker = (request: AuthenticatedRequest) => ChangeRecord;

const RECORD_MAKER = Symbol('record maker');

/** Declares that the requests of a route change something, and the record of it. */
export const RecordsChange = (make: RecordMaker) => SetMetadata(RECORD_MAKER, make);

/** @returns undefined if the changes of this route are not recorded */
export function createChangeRecord(context: ExecutionContext): ChangeRecord | undefined {
  const make = Reflect.getMetadata(RECORD_MAKER, context.getHandler()) as RecordMaker | undefined;
  return make?.(context.switchToHttp().getRequest<AuthenticatedRequest>());
}
