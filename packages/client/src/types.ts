import type { components, operations } from './generated/schema';

/** The classes of the API document. */
export type Schemas = components['schemas'];

export type OperationName = keyof operations;

/** The query parameters of an operation. */
export type Query<Name extends OperationName> = NonNullable<operations[Name]['parameters']['query']>;

/** Takes one value or a list where the operation takes several. */
type OneOrMany<Value> = Value extends readonly (infer Item)[] ? Item | Item[] : Value;

/** The filters of an operation. */
export type Filter<Name extends OperationName> = {
  [Field in keyof Query<Name>]: OneOrMany<Query<Name>[Field]>;
};

/** The filters of a list; the client counts the pages. */
export type ListFilter<Name extends OperationName> = Omit<Filter<Name>, 'page'>;

/** A file of a form. A `File` has a name; a `Blob` or `Buffer` has none. */
export type FileInput = File | Blob | Uint8Array;

/** The fields of a form with a file. */
export type FormFields<Form extends { file: unknown }> = Omit<Form, 'file'> & {
  file: FileInput;
  /** The name of the file; default: the one of a `File`. */
  fileName?: string;
};

/** The options of one request. */
export interface RequestOptions {
  /** Aborts the request; it rejects with the reason of the signal. */
  signal?: AbortSignal;
  /** The time limit of each attempt. */
  timeoutMs?: number;
  maxRetries?: number;
}

/** The options of a request that the server does once, however often it is sent. */
export interface KeyedRequestOptions extends RequestOptions {
  /** 1 to 255 printable characters; default: a new UUID for each request. */
  idempotencyKey?: string;
}
