/** A request that an HTTP client can send. */
export interface HttpRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

/** The bytes of a request, sent piece by piece. `isConnectionLost` closes the connection after the last piece. */
export interface RawRequest {
  pieces: (string | Buffer)[];
  isConnectionLost?: boolean;
}

/** An invalid or unusual request. */
export interface Case {
  /** The description of the invalid or unusual part. */
  title: string;
  request: HttpRequest | RawRequest;
  /** Whether the route must refuse it; otherwise it may accept it. */
  isInvalid: boolean;
  /** The fields that a refusal must name, such as `body.llmConfig.temperature`. */
  fields?: string[];
  /** The only status that the answer may have. */
  status?: number;
}
