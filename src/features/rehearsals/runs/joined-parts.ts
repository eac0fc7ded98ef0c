import type { RehearsalFacts } from '../../../platform/messaging/wire';

/** The use of a tool in a rehearsal that the server joins. */
export interface ToolUse {
  id: string;
  /** The same for a repeated request. */
  key: string;
  name: string;
  arguments: Record<string, unknown>;
  /** The place of the mock that answers it; null: none fits. */
  mock: number | null;
  /** Milliseconds since 1970. */
  askedAt: number;
  dueAt: number;
  state: 'done' | 'failed' | 'unknown';
  result: unknown;
  error: string | null;
  /** Values of the answer, which are variables of the call. A use of an earlier release has none. */
  variables?: Record<string, string>;
}

/** A runtime reports them in two messages, which come in any order. */
export interface ReportedParts {
  end?: RehearsalFacts['end'];
  outcome?: string;
  optOut?: boolean;
  fields?: Record<string, boolean | number | string | null>;
}
