import type { AgentImport } from './agent-import';
import type { OwnVariables } from './texts';

export const PLATFORM_NAMES = ['vapi', 'retell', 'elevenlabs'] as const;
export type PlatformName = (typeof PLATFORM_NAMES)[number];

/** A platform from which agents come. */
export interface Platform {
  /** The variables that it fills in by itself. */
  variables: OwnVariables;
  /** Its values where agents say nothing, as far as Parley has others. */
  defaults: Record<string, unknown>;
  /** @returns what a file has instead of an agent */
  findMismatch: (source: Record<string, unknown>) => string | undefined;
  /** Reads all that it knows of the source of the agent. */
  read: (agent: AgentImport) => void;
}
