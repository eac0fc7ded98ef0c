/** A request as a client sends it. */
export interface Message {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

/** What goes over a connection, piece by piece; the last one ends it if `isConnectionLost`. */
export interface Wire {
  pieces: (string | Buffer)[];
  isConnectionLost?: boolean;
}

/** A request that somebody sends by mistake or on purpose. */
export interface Case {
  /** What is wrong with it or odd about it. */
  about: string;
  request: Message | Wire;
  /** Whether nothing that the description of the route says allows it; else it may be taken. */
  isWrong: boolean;
  /** What a refusal must name, such as `body.llmConfig.temperature`. */
  place?: string;
  /** The only status it may have. */
  status?: number;
}
