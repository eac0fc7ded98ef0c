interface ErrorCodeFacts {
  status: number;
  /** The cause of the error and the remedy for a client, as in docs/errors.md. */
  meaning: string;
}

/**
 * The closed list of the reasons for which a request is refused. The type of an ApiError, the OpenAPI document and
 * docs/errors.md all follow it. A code is never renamed or given another status.
 */
export const ERROR_CODES = {
  VALIDATION_FAILED: {
    status: 400,
    meaning: 'A field or parameter is not valid. `errors` names each one.',
  },
  MALFORMED_REQUEST: {
    status: 400,
    meaning: 'The request cannot be read: it is not HTTP, or one of its headers or its body is broken.',
  },
  MALFORMED_JSON: { status: 400, meaning: 'The body is not a JSON object in UTF-8.' },
  MALFORMED_YAML: {
    status: 400,
    meaning: 'The body is not an object in YAML 1.2, or has an anchor, an alias or a tag.',
  },
  MALFORMED_FORM: { status: 400, meaning: 'The body is not a form that can be read.' },
  WORKSPACE_MISMATCH: {
    status: 400,
    meaning: 'The request names another workspace than the one of its credential.',
  },
  AGENT_SWITCHED_OFF: { status: 400, meaning: 'The `status` of the agent is false, so it makes no calls.' },
  AGENT_NOT_PUBLISHED: {
    status: 400,
    meaning: 'No version of the agent is published yet, so it makes no calls.',
  },
  AGENT_TOO_LARGE: {
    status: 400,
    meaning: 'The texts and settings of the agent together are larger than the limit.',
  },
  DESTINATION_NOT_ALLOWED: {
    status: 400,
    meaning: 'The operator of this installation does not allow calls to this number.',
  },
  DO_NOT_CALL: { status: 400, meaning: 'The number is on the do-not-call list of the workspace.' },
  PHONE_NUMBER_UNAVAILABLE: { status: 400, meaning: 'The phone number cannot be added to this workspace.' },
  FILE_TOO_LARGE: { status: 400, meaning: 'The uploaded file is larger than the limit.' },
  FILE_UNREADABLE: {
    status: 400,
    meaning: 'The uploaded document has no text that can be read, or is of an unknown type.',
  },
  CREDITS_OUT_OF_RANGE: {
    status: 400,
    meaning: 'A number of credits is not valid. Only the command line of the operator reports it.',
  },
  MISSING_CREDENTIAL: {
    status: 401,
    meaning: 'The request has neither an API key nor a bearer token nor a session.',
  },
  INVALID_CREDENTIAL: {
    status: 401,
    meaning:
      'The API key, token, session or one-time link is unknown, expired, revoked, or signed with another key.',
  },
  INSUFFICIENT_CREDITS: {
    status: 402,
    meaning: 'The workspace has fewer free credits than a call holds when it starts.',
  },
  OUT_OF_SCOPE: { status: 403, meaning: 'The scope of the credential does not include this operation.' },
  API_KEY_REQUIRED: { status: 403, meaning: 'The operation accepts an API key, but not a bearer token.' },
  CROSS_SITE_REQUEST: {
    status: 403,
    meaning:
      'A request with a session that changes something did not come from a page of this server, or has no header `X-Parley-Session`.',
  },
  NO_ACTIVE_SUBSCRIPTION: {
    status: 403,
    meaning: 'The workspace has no active subscription, which creating an agent requires.',
  },
  WORKSPACE_SUSPENDED: { status: 403, meaning: 'The operator suspended the workspace.' },
  AGENTS_QUOTA_REACHED: { status: 403, meaning: 'The workspace has as many agents as its quota allows.' },
  KNOWLEDGE_BASE_BYTES_QUOTA_REACHED: {
    status: 403,
    meaning: 'The knowledge bases of the workspace have as many bytes of files and text as its quota allows.',
  },
  RECORDING_BYTES_QUOTA_REACHED: {
    status: 403,
    meaning: 'The recordings of the workspace have as many bytes as its quota allows.',
  },
  API_KEYS_QUOTA_REACHED: { status: 403, meaning: 'The workspace has as many API keys as its quota allows.' },
  PHONE_NUMBERS_QUOTA_REACHED: {
    status: 403,
    meaning: 'The workspace has as many phone numbers as its quota allows.',
  },
  RECIPIENTS_QUOTA_REACHED: {
    status: 403,
    meaning: 'The campaigns of the workspace have as many uncalled recipients as its quota allows.',
  },
  CREDITS_PER_DAY_QUOTA_REACHED: {
    status: 403,
    meaning: 'The workspace spent the credits that its quota allows for one day (UTC).',
  },
  CALLS_PER_DAY_CAP_REACHED: {
    status: 403,
    meaning: 'The credential started as many calls as its cap allows for one day (UTC).',
  },
  KNOWLEDGE_BASES_LIMIT_REACHED: {
    status: 403,
    meaning: 'The workspace has as many knowledge bases as a workspace can have.',
  },
  KNOWLEDGE_BASE_SOURCES_LIMIT_REACHED: {
    status: 403,
    meaning: 'The knowledge base has as many sources as a knowledge base can have.',
  },
  PROMPT_TEMPLATES_LIMIT_REACHED: {
    status: 403,
    meaning: 'The workspace has as many prompt templates as a workspace can have.',
  },
  TOOLS_LIMIT_REACHED: {
    status: 403,
    meaning: 'The workspace has as many tools as a workspace can have.',
  },
  REHEARSALS_LIMIT_REACHED: {
    status: 403,
    meaning: 'The agent has as many rehearsals as an agent can have.',
  },
  SESSIONS_LIMIT_REACHED: {
    status: 403,
    meaning: 'The workspace has as many sessions as a workspace can have.',
  },
  PEOPLE_LIMIT_REACHED: { status: 403, meaning: 'The workspace has as many people as a workspace can have.' },
  DO_NOT_CALL_ENTRIES_LIMIT_REACHED: {
    status: 403,
    meaning: 'The do-not-call list of the workspace has as many numbers as it can have.',
  },
  NOTES_LIMIT_REACHED: { status: 403, meaning: 'The workspace has as many notes as a workspace can have.' },
  SAVED_VIEWS_LIMIT_REACHED: {
    status: 403,
    meaning: 'The workspace has as many saved views as a workspace can have.',
  },
  TRIALS_LIMIT_REACHED: {
    status: 403,
    meaning: 'The workspace has tried prompts on as many calls as it can in 24 hours.',
  },
  OPEN_ERASURES_LIMIT_REACHED: {
    status: 403,
    meaning: 'The workspace has as many erasures that are not completed as it can have.',
  },
  WEBHOOK_ENDPOINTS_LIMIT_REACHED: {
    status: 403,
    meaning: 'The workspace has as many webhook endpoints as a workspace can have.',
  },
  WEBHOOK_TEST_EVENTS_LIMIT_REACHED: {
    status: 403,
    meaning: 'The workspace requested as many webhook test events as it can in 24 hours.',
  },
  ROUTE_NOT_FOUND: { status: 404, meaning: 'The API has no such path.' },
  AGENT_NOT_FOUND: { status: 404, meaning: 'The workspace has no agent with this id.' },
  AGENT_VERSION_NOT_FOUND: { status: 404, meaning: 'The agent has no version with this number.' },
  PROMPT_TEMPLATE_NOT_FOUND: {
    status: 404,
    meaning: 'Neither the workspace nor the platform has a prompt template with this id.',
  },
  KNOWLEDGE_BASE_NOT_FOUND: { status: 404, meaning: 'The workspace has no knowledge base with this id.' },
  KNOWLEDGE_BASE_SOURCE_NOT_FOUND: {
    status: 404,
    meaning: 'The knowledge base has no source with this id.',
  },
  CONVERSATION_NOT_FOUND: { status: 404, meaning: 'The agent has no conversation with this id.' },
  CALL_NOT_FOUND: { status: 404, meaning: 'The workspace has no call with this id.' },
  RECORDING_NOT_FOUND: { status: 404, meaning: 'The server has no recording of this call.' },
  CAMPAIGN_NOT_FOUND: { status: 404, meaning: 'The workspace has no campaign with this id.' },
  RECIPIENT_NOT_FOUND: { status: 404, meaning: 'The campaign has no recipient with this number.' },
  PHONE_NUMBER_NOT_FOUND: { status: 404, meaning: 'The workspace does not have this phone number.' },
  SESSION_NOT_FOUND: {
    status: 404,
    meaning: 'The request has no session, or the workspace has no session with this id.',
  },
  PERSON_NOT_FOUND: { status: 404, meaning: 'The workspace has no person with this id.' },
  DO_NOT_CALL_ENTRY_NOT_FOUND: {
    status: 404,
    meaning: 'The number is not on the do-not-call list of the workspace.',
  },
  ERASURE_NOT_FOUND: { status: 404, meaning: 'The workspace has no erasure with this id.' },
  API_KEY_NOT_FOUND: { status: 404, meaning: 'The workspace has no API key with this id.' },
  TOOL_NOT_FOUND: {
    status: 404,
    meaning: 'The workspace has no tool with this id, or the agent of the call has none with this name.',
  },
  REHEARSAL_NOT_FOUND: { status: 404, meaning: 'The agent has no rehearsal with this id.' },
  REHEARSAL_RUN_NOT_FOUND: { status: 404, meaning: 'The workspace has no rehearsal run with this id.' },
  REHEARSAL_RESULT_NOT_FOUND: {
    status: 404,
    meaning: 'The run has no rehearsal with this name, or fewer repetitions of it.',
  },
  INVOCATION_NOT_FOUND: { status: 404, meaning: 'There is no invocation of a tool with this id.' },
  SAVED_VIEW_NOT_FOUND: { status: 404, meaning: 'The workspace has no saved view with this id.' },
  WEBHOOK_ENDPOINT_NOT_FOUND: { status: 404, meaning: 'The workspace has no webhook endpoint with this id.' },
  WEBHOOK_DELIVERY_NOT_FOUND: { status: 404, meaning: 'The workspace has no webhook delivery with this id.' },
  WORKSPACE_NOT_FOUND: {
    status: 404,
    meaning: 'No workspace has this id. Only the command line of the operator reports it.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path does not accept this method. The header `Allow` lists those that it accepts.',
  },
  REQUEST_TIMEOUT: { status: 408, meaning: 'The request did not arrive completely in time.' },
  KNOWLEDGE_BASE_NAME_TAKEN: {
    status: 409,
    meaning: 'The workspace already has a knowledge base with this name.',
  },
  KNOWLEDGE_BASE_LAST_SOURCE: {
    status: 409,
    meaning: 'The knowledge base has no other source, so this one can only be replaced.',
  },
  TOOL_NOT_CONFIRMED: { status: 409, meaning: 'The tool needs the consent of the person first.' },
  INVOCATION_SETTLED: {
    status: 409,
    meaning: 'What came of the invocation is known, or its arguments were emptied.',
  },
  REHEARSAL_NAME_TAKEN: { status: 409, meaning: 'The agent already has a rehearsal with this name.' },
  CODE_DRIFT: {
    status: 409,
    meaning:
      'What the request changes has changed since it was read. `errors` names each; nothing was done. Read them again.',
  },
  NO_REHEARSALS: {
    status: 409,
    meaning: 'The agent has no rehearsal that is enabled, or named in the request.',
  },
  NOTHING_TO_ROLL_BACK: {
    status: 409,
    meaning: 'Calls have used no other version of the agent.',
  },
  CALL_NOT_REHEARSABLE: {
    status: 409,
    meaning: 'The call goes on, the person said nothing in it, or it is larger than a rehearsal may be.',
  },
  TOOL_NAME_TAKEN: { status: 409, meaning: 'The workspace already has a tool with this name.' },
  PERSON_EMAIL_TAKEN: {
    status: 409,
    meaning: 'The workspace already has a person with this e-mail address.',
  },
  NOTE_CHANGED: {
    status: 409,
    meaning: 'The note has changed since it was read. Read it, and write again.',
  },
  LAST_ADMIN: {
    status: 409,
    meaning:
      'The person is the only admin who has joined the workspace, so the role stays and the person too.',
  },
  RECORDING_EXISTS: { status: 409, meaning: 'The recording of this call was handed in before.' },
  CALL_ENDED: { status: 409, meaning: 'The call has ended, so it cannot be hung up.' },
  CALL_NOT_AUDIBLE: {
    status: 409,
    meaning: 'The call is not connected, or its runtime offers no audio of it to listeners.',
  },
  CAMPAIGN_NOT_RUNNING: {
    status: 409,
    meaning: 'The campaign is neither running nor scheduled, so it cannot be paused.',
  },
  CAMPAIGN_NOT_PAUSED: { status: 409, meaning: 'The campaign is not paused, so it cannot be resumed.' },
  CAMPAIGN_ENDED: { status: 409, meaning: 'The campaign has ended, so it cannot be changed or cancelled.' },
  CAMPAIGN_BEGUN: { status: 409, meaning: 'The campaign has begun, so its time cannot be changed.' },
  TOKENS_ISSUED_ELSEWHERE: {
    status: 409,
    meaning: 'This installation accepts the tokens of an identity provider and does not issue any.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    meaning: 'A request with this Idempotency-Key is in progress. Send the same request again.',
  },
  PHONE_NUMBER_HELD: {
    status: 409,
    meaning: 'Another workspace has the phone number. Only the command line of the operator reports it.',
  },
  WEBHOOK_ENDPOINT_OFF: {
    status: 409,
    meaning: 'The webhook endpoint is off, paused or deleted, so nothing is sent to it again.',
  },
  WORKSPACE_IN_USE: {
    status: 409,
    meaning:
      'The workspace has calls, so it gets no demo data. Only the command line of the operator reports it.',
  },
  PRECONDITION_FAILED: {
    status: 412,
    meaning: 'A file of the console does not meet the condition in the header of the request.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'The body has too many bytes or values.' },
  RECIPIENTS_FILE_TOO_LARGE: { status: 413, meaning: 'The recipients file is larger than the limit.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The operation does not accept the content type, charset or encoding of the body.',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    meaning: 'A file of the console, or a demo recording, does not have the requested range of bytes.',
  },
  EXPECTATION_FAILED: {
    status: 417,
    meaning: 'The header `Expect` asks for something else than 100-continue.',
  },
  INVALID_RECIPIENTS_FILE: {
    status: 422,
    meaning: 'The recipients file is not valid. `details` names the first 20 rows with errors.',
  },
  INVALID_DO_NOT_CALL_FILE: {
    status: 422,
    meaning: 'The do-not-call file is not valid. `details` names the first 20 rows with errors.',
  },
  LINK_UNAVAILABLE: {
    status: 422,
    meaning: 'No content can be fetched from the link. `error.details` says why.',
  },
  TOOL_SERVER_UNAVAILABLE: {
    status: 422,
    meaning: 'The server of a tool cannot be asked for its tools.',
  },
  TOOL_ARGUMENTS_INVALID: {
    status: 422,
    meaning:
      'The arguments do not fit the parameters of the tool. `errors` names them, for the model to act on.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    meaning: 'This Idempotency-Key was used for a request with another body. Send a new key.',
  },
  RATE_LIMITED: {
    status: 429,
    meaning:
      'The workspace sent too many requests, or the address too many without a credential or with wrong ones. Wait for `Retry-After`.',
  },
  CONCURRENCY_LIMIT: {
    status: 429,
    meaning: 'The workspace has as many calls in progress as its quota allows. Try again when one has ended.',
  },
  TOOL_LIMIT_REACHED: {
    status: 429,
    meaning: 'The call has as many invocations of tools as a call can have.',
  },
  REHEARSAL_RUNS_LIMIT: {
    status: 429,
    meaning: 'The workspace has as many rehearsal runs as may go on at once. Try again when one has ended.',
  },
  TOOLS_BUSY: {
    status: 429,
    meaning: 'As many tools run in the workspace as may run at once. Nothing was sent. Try again.',
  },
  HEADERS_TOO_LARGE: { status: 431, meaning: 'The headers of the request are too large.' },
  CLIENT_CLOSED_REQUEST: {
    status: 499,
    meaning: 'The client closed the connection before its answer. Only the log of the server has this code.',
  },
  INTERNAL_ERROR: {
    status: 500,
    meaning: 'The server failed. Its log has the reason under the request id that the details name.',
  },
  OUTCOME_UNKNOWN: {
    status: 500,
    meaning:
      'The database did not confirm a change, which may or may not have been made. ' +
      'The same request with the same Idempotency-Key finds out.',
  },
  DISPATCH_FAILED: {
    status: 500,
    meaning:
      'The call could not be published to the agent. Nothing is charged for a call that was cancelled.',
  },
  DOCUMENT_READER_FAILED: {
    status: 500,
    meaning: 'The process that reads documents failed. The request can be sent again.',
  },
  DATABASE_UNAVAILABLE: {
    status: 503,
    meaning: 'The database cannot be reached. Nothing was changed; try again after `Retry-After`.',
  },
  DATABASE_BUSY: {
    status: 503,
    meaning:
      'No database connection became free in time. Nothing was changed; try again after `Retry-After`.',
  },
  WORKSPACE_BUSY: {
    status: 503,
    meaning: 'Other requests of the workspace use its share of the server. Try again after `Retry-After`.',
  },
  RESOURCE_LOCKED: {
    status: 503,
    meaning: 'Another request uses the same data. Nothing was changed; try again after `Retry-After`.',
  },
  STATEMENT_TIMEOUT: {
    status: 503,
    meaning: 'The database took too long. Nothing was changed; try again after `Retry-After`.',
  },
  DOCUMENT_READERS_BUSY: {
    status: 503,
    meaning: 'Other documents are being read. Nothing was changed; try again after `Retry-After`.',
  },
  RECIPIENT_IMPORTS_BUSY: {
    status: 503,
    meaning: 'Other recipients files are being read. Nothing was changed; try again after `Retry-After`.',
  },
  CLAIMS_UNDECIDED: {
    status: 503,
    meaning:
      'The do-not-call list was changed, but a claim from before is not decided. Send the request again to wait for it.',
  },
  DO_NOT_CALL_IMPORTS_BUSY: {
    status: 503,
    meaning: 'Other do-not-call files are being read. Nothing was changed; try again after `Retry-After`.',
  },
  KEYS_UNAVAILABLE: {
    status: 503,
    meaning:
      'The keys of the identity provider cannot be loaded, so tokens cannot be checked. API keys work.',
  },
  NOT_READY: { status: 503, meaning: 'Only from `/health/ready`: the database or the broker is down.' },
} as const satisfies Record<string, ErrorCodeFacts>;

export type ErrorCode = keyof typeof ERROR_CODES;

export const ERROR_CODE_NAMES = Object.keys(ERROR_CODES) as ErrorCode[];

export const getErrorStatus = (code: ErrorCode): number => ERROR_CODES[code].status;
