/** Limits of a call's request, whether it is started alone or by a campaign. */
export const MAX_VARIABLES = 100;
export const MAX_VARIABLE_LENGTH = 4_000;
export const MAX_CUSTOMER_NAME_LENGTH = 200;

/** The fields of a start-call request that have no column of their own; '' if the request has none. */
export interface CallRequest {
  greeting: string;
  dynamic_variables: Record<string, string>;
  customer_name: string;
  webhook_url: string;
  external_id: string;
  memory_id: string;
  style: string;
  /** The trace context of the request itself, see `parseTraceparent`. */
  traceparent: string;
}

type Optional<Fields> = { [Name in keyof Fields]?: Fields[Name] | null };

export const toCallRequest = (fields: Optional<CallRequest>): CallRequest => ({
  greeting: fields.greeting ?? '',
  dynamic_variables: fields.dynamic_variables ?? {},
  customer_name: fields.customer_name ?? '',
  webhook_url: fields.webhook_url ?? '',
  external_id: fields.external_id ?? '',
  memory_id: fields.memory_id ?? '',
  style: fields.style ?? '',
  traceparent: fields.traceparent ?? '',
});

/**
 * Returns the part of a request that is stored: the fields that are not empty, because most are. {@link
 * toCallRequest} adds the others.
 */
export const toStoredRequest = ({ dynamic_variables, ...texts }: CallRequest): Partial<CallRequest> => ({
  ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
  ...(Object.keys(dynamic_variables).length > 0 && { dynamic_variables }),
});

/** The approximate length of a request in a statement, in characters. */
export const sizeOfRequest = ({ dynamic_variables, greeting }: CallRequest): number =>
  Object.values(dynamic_variables).reduce((sum, value) => sum + value.length, greeting.length);
