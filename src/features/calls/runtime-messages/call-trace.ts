/** The `traceparent` with which a call was started, and what its spans are found by. */
export interface CallTrace {
  traceparent: string;
  workspaceId: string;
  agentId: string;
}
